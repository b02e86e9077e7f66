use berth_compose::{Diagnostic, Project, Rule, Service};

/// Services so that each comes after what it depends on, otherwise in file order.
///
/// # Errors
/// The circle, when there is one.
pub(super) fn of(project: &Project) -> Result<Vec<String>, Diagnostic> {
    let mut order: Vec<String> = Vec::with_capacity(project.services.len());
    while order.len() < project.services.len() {
        let next = project.services.iter().find(|(name, service)| {
            !order.contains(name)
                && needs(service).all(|other| {
                    order.iter().any(|done| done == other) || !project.services.contains_key(other)
                })
        });
        match next {
            Some((name, _)) => order.push(name.clone()),
            None => {
                let left: Vec<&str> = project
                    .services
                    .keys()
                    .filter(|name| !order.contains(name))
                    .map(String::as_str)
                    .collect();
                return Err(Diagnostic {
                    rule: Rule::Cycle,
                    file: None,
                    line: None,
                    column: None,
                    key: "services".to_owned(),
                    message: format!(
                        "these services wait for each other in a circle: {}",
                        left.join(", ")
                    ),
                    hint: Some("Remove one of their `depends_on` entries.".to_owned()),
                });
            }
        }
    }
    Ok(order)
}

fn needs(service: &Service) -> impl Iterator<Item = &str> {
    let shared = service
        .network_mode
        .as_deref()
        .and_then(|mode| mode.strip_prefix("service:"));
    service.depends_on.keys().map(String::as_str).chain(shared)
}
