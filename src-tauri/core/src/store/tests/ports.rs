use std::collections::HashSet;

use super::*;
use crate::store::ports::{FIRST, LAST, allocate, assigned, candidates, release_one};

#[tokio::test]
async fn numbers_stay_until_teardown() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let wanted = [port("web", 80), port("db", 5432)];
            let first = allocate(tx, &id, &wanted, candidates(&id), |_| true)?;
            // A number in use by its own container is not free, and stays.
            let again = allocate(tx, &id, &wanted, candidates(&id), |_| false)?;
            assert_eq!(first, again);
            assert_eq!(assigned(tx, &id)?, first);
            environments::set_torn_down(tx, 99, &id)?;
            assert!(assigned(tx, &id)?.is_empty());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_port_no_longer_wanted_is_given_back() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let both = [port("web", 80), port("db", 5432)];
            let first = allocate(tx, &id, &both, candidates(&id), |_| true)?;
            let second = allocate(tx, &id, &both[..1], candidates(&id), |_| true)?;
            assert_eq!(second.len(), 1);
            assert_eq!(second[&both[0]], first[&both[0]]);
            assert_eq!(assigned(tx, &id)?, second);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_number_in_use_elsewhere_is_passed_over() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let key = port("web", 80);
            let taken: Vec<u16> = candidates(&id).take(3).collect();
            let given = allocate(
                tx,
                &id,
                std::slice::from_ref(&key),
                candidates(&id),
                |number| !taken.contains(&number),
            )?;
            assert_eq!(given[&key], candidates(&id).nth(3).unwrap());
            // The engine found it taken after all: another one.
            release_one(tx, given[&key])?;
            let next = allocate(
                tx,
                &id,
                std::slice::from_ref(&key),
                candidates(&id),
                |number| !taken.contains(&number) && number != given[&key],
            )?;
            assert_eq!(next[&key], candidates(&id).nth(4).unwrap());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_full_range_is_said() {
    let (_folder, store, id) = with_environment().await;
    let error = store
        .write(move |tx| allocate(tx, &id, &[port("web", 80)], candidates(&id), |_| false))
        .await
        .unwrap_err();
    let problem = crate::Problem::from(error);
    assert_eq!(problem.code, crate::Code::PortTaken);
    assert!(problem.title.contains("41000"), "{}", problem.title);
}

#[tokio::test]
async fn no_two_environments_get_one_number() {
    let (folder, store) = opened().await;
    let other = Store::open(&folder.path().join("berth.db")).await.unwrap();
    let service = store.write(|tx| add_service(tx, "shop-api")).await.unwrap();
    let mut asked = Vec::new();
    for number in 0..20 {
        let store = if number % 2 == 0 { &store } else { &other }.clone();
        let service = service.clone();
        asked.push(tokio::spawn(async move {
            store
                .write(move |tx| {
                    let id = add_environment(tx, &service, &format!("env-{number}"))?;
                    let wanted: Vec<PortKey> = (1..=5).map(|target| port("web", target)).collect();
                    // All from one place, so that they would collide.
                    allocate(tx, &id, &wanted, FIRST..=LAST, |_| true)
                })
                .await
                .unwrap()
        }));
    }
    let mut given = HashSet::new();
    for asked in asked {
        for number in asked.await.unwrap().into_values() {
            assert!(given.insert(number), "{number} was given twice");
        }
    }
    assert_eq!(given.len(), 100);
}

#[test]
fn candidates_are_the_whole_range_from_a_place_of_its_own() {
    let all: HashSet<u16> = candidates("abc").collect();
    assert_eq!(all.len(), usize::from(LAST - FIRST) + 1);
    assert!(all.iter().all(|number| (FIRST..=LAST).contains(number)));
    let starts: HashSet<u16> = (0..50)
        .filter_map(|number| candidates(&format!("env{number}")).next())
        .collect();
    assert!(starts.len() > 40, "{}", starts.len());
    assert_eq!(candidates("abc").next(), candidates("abc").next());
}
