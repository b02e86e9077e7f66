use indexmap::{IndexMap, IndexSet};

/// A circle in the graph (first and last name are the same), or `None`.
pub(crate) fn find(graph: &IndexMap<String, Vec<String>>) -> Option<Vec<String>> {
    let mut done: IndexSet<&str> = IndexSet::new();
    for start in graph.keys() {
        if done.contains(start.as_str()) {
            continue;
        }
        // The way from `start`, and for each step the next edge to try. An explicit
        // stack: a chain of services may be long.
        let mut way: IndexMap<&str, usize> = IndexMap::new();
        way.insert(start, 0);
        while let Some((&name, edge)) = way.iter_mut().next_back() {
            let next = graph.get(name).and_then(|edges| edges.get(*edge));
            *edge += 1;
            match next {
                None => {
                    way.pop();
                    done.insert(name);
                }
                Some(next) if done.contains(next.as_str()) => {}
                Some(next) => {
                    if let Some(first) = way.get_index_of(next.as_str()) {
                        let mut circle: Vec<String> = way
                            .keys()
                            .skip(first)
                            .map(|name| (*name).to_owned())
                            .collect();
                        circle.push(next.clone());
                        return Some(circle);
                    }
                    way.insert(next, 0);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> IndexMap<String, Vec<String>> {
        edges
            .iter()
            .map(|(from, to)| {
                let to = to.iter().map(|name| (*name).to_owned()).collect();
                ((*from).to_owned(), to)
            })
            .collect()
    }

    #[test]
    fn circles_are_named() {
        assert_eq!(
            find(&graph(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])),
            None
        );
        assert_eq!(
            find(&graph(&[
                ("a", &["b", "c"]),
                ("b", &["d"]),
                ("c", &["d"]),
                ("d", &[])
            ])),
            None
        );
        assert_eq!(
            find(&graph(&[("x", &["a"]), ("a", &["b"]), ("b", &["a"])])).unwrap(),
            ["a", "b", "a"]
        );
        assert_eq!(find(&graph(&[("a", &["a"])])).unwrap(), ["a", "a"]);
    }

    #[test]
    fn a_long_chain_does_not_overflow() {
        let chain: IndexMap<String, Vec<String>> = (0..100_000)
            .map(|n| (n.to_string(), vec![(n + 1).to_string()]))
            .collect();
        assert_eq!(find(&chain), None);
    }
}
