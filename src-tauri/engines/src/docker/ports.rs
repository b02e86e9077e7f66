use berth_compose::Project;

/// One port that needs a place on the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortKey {
    /// The service.
    pub service: String,
    /// Port inside.
    pub target: u16,
    /// `tcp`, `udp`, `sctp`.
    pub protocol: String,
}

/// The host ports that a project needs, in file order, each once.
pub fn ports_needed(project: &Project) -> Vec<PortKey> {
    let mut keys = Vec::new();
    for (name, service) in &project.services {
        if service.scale == 0 {
            continue;
        }
        for port in &service.ports {
            let key = PortKey {
                service: name.clone(),
                target: port.target,
                protocol: port.protocol.clone(),
            };
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}
