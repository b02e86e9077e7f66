use super::*;
use crate::secrets::{Cut, FakeKeychain};

const WINDOWS: usize = 2560;

fn text(length: usize) -> SecretString {
    // One, two, three and four bytes of UTF-8; the last two words of UTF-16.
    let letters: String = "aß€😀".chars().cycle().take(length).collect();
    SecretString::from(letters)
}

/// Of a store that is marked.
fn items<'a>(store: &'a FakeKeychain, store_id: &'a str) -> Items<'a> {
    let items = Items { store, store_id };
    items.mark().unwrap();
    items
}

fn same(taken: Option<SecretString>, put: &SecretString) {
    assert_eq!(taken.unwrap().expose_secret(), put.expose_secret());
}

#[test]
fn a_text_comes_back_as_it_was_and_goes_without_a_trace() {
    for length in [0, 1, 700, 1_200, 1_300, 20_000] {
        for keychain in [
            FakeKeychain::new(),
            FakeKeychain::that_takes_at_most(WINDOWS),
        ] {
            let items = items(&keychain, "here");
            let put = text(length);
            items.put("one", &put).unwrap();
            same(items.take("one").unwrap(), &put);
            items.remove("one").unwrap();
            assert!(items.take("one").unwrap().is_none());
            assert_eq!(keychain.names(), ["here/mark"]);
        }
    }
}

#[test]
fn a_long_text_is_split_where_the_store_caps_values() {
    let keychain = FakeKeychain::that_takes_at_most(WINDOWS);
    let items = items(&keychain, "here");
    items.put("long", &text(20_000)).unwrap();
    // 20,000 letters are 25,000 words of UTF-16, 50,000 bytes.
    assert_eq!(keychain.names().len(), 1 + 1 + 20);
    let unlimited = FakeKeychain::new();
    Items {
        store: &unlimited,
        store_id: "here",
    }
    .put("long", &text(20_000))
    .unwrap();
    assert_eq!(unlimited.names(), ["here/long"]);
}

#[test]
fn pieces_are_as_large_as_they_may_be() {
    let text = text(5_000);
    let pieces = pieces(text.expose_secret(), 101);
    assert_eq!(pieces.concat(), text.expose_secret());
    for piece in &pieces[..pieces.len() - 1] {
        let size = utf16_bytes(piece);
        assert!((98..=101).contains(&size), "{size}");
    }
}

#[test]
fn half_a_text_is_never_taken_for_a_whole_one_and_never_left() {
    let put = text(3_000);
    for call in 1..20 {
        let keychain = FakeKeychain::that_takes_at_most(WINDOWS);
        let items = items(&keychain, "here");
        let cut_off = keychain.connect();
        cut_off.cut_at(
            call,
            if call % 2 == 0 {
                Cut::Before
            } else {
                Cut::After
            },
        );
        let through_cut_off = Items {
            store: &cut_off,
            store_id: "here",
        };
        if through_cut_off.put("one", &put).is_ok() {
            assert!(call > 4, "{call}");
            return;
        }
        // All may have been written, and only the answer lost.
        if let Some(taken) = items.take("one").unwrap() {
            assert_eq!(taken.expose_secret(), put.expose_secret());
        }
        items.remove("one").unwrap();
        assert_eq!(keychain.names(), ["here/mark"]);
    }
    panic!("more calls than there can be");
}

#[test]
fn a_removal_that_is_cut_off_is_done_by_the_next() {
    let put = text(3_000);
    for call in 1..20 {
        let keychain = FakeKeychain::that_takes_at_most(WINDOWS);
        items(&keychain, "here").put("one", &put).unwrap();
        let cut_off = keychain.connect();
        cut_off.cut_at(
            call,
            if call % 2 == 0 {
                Cut::Before
            } else {
                Cut::After
            },
        );
        let through_cut_off = Items {
            store: &cut_off,
            store_id: "here",
        };
        if through_cut_off.remove("one").is_ok() {
            assert!(call > 4, "{call}");
            return;
        }
        items(&keychain, "here").remove("one").unwrap();
        assert_eq!(keychain.names(), ["here/mark"]);
    }
    panic!("more calls than there can be");
}

#[test]
fn locked_is_told_from_absent() {
    let keychain = FakeKeychain::new();
    let items = items(&keychain, "here");
    items.put("one", &text(5)).unwrap();
    assert!(items.take("two").unwrap().is_none());
    keychain.lock(true);
    for id in ["one", "two"] {
        assert!(matches!(items.take(id), Err(StoreFailure::Unmarked)));
        assert!(matches!(items.remove(id), Err(StoreFailure::Unmarked)));
    }
    keychain.lock(false);
    same(items.take("one").unwrap(), &text(5));
    // Another keychain in its place is not believed either.
    let other = FakeKeychain::new();
    let in_other = Items {
        store: &other,
        store_id: "here",
    };
    assert!(matches!(
        in_other.remove("one"),
        Err(StoreFailure::Unmarked)
    ));
}

#[test]
fn a_missing_part_makes_the_text_missing() {
    let keychain = FakeKeychain::that_takes_at_most(WINDOWS);
    let items = items(&keychain, "here");
    items.put("one", &text(20_000)).unwrap();
    keychain.forget("here/one/7");
    assert!(items.take("one").unwrap().is_none());
    items.remove("one").unwrap();
    assert_eq!(keychain.names(), ["here/mark"]);
}

#[test]
fn what_was_tampered_with_is_damaged_and_can_be_removed() {
    let keychain = FakeKeychain::that_takes_at_most(WINDOWS);
    let items = items(&keychain, "here");
    items.put("one", &text(20_000)).unwrap();
    let other = SecretString::from("something else");
    keychain.set("here/one/3", &other).unwrap();
    assert!(matches!(
        items.take("one"),
        Err(StoreFailure::Damaged { .. })
    ));
    items.put("two", &text(3)).unwrap();
    for value in ["", "x\ny", "berth-secrets/1 parts many -\n"] {
        keychain
            .set("here/two", &SecretString::from(value))
            .unwrap();
        let taken = items.take("two");
        assert!(
            matches!(taken, Err(StoreFailure::Damaged { .. })),
            "{value}"
        );
    }
    items.remove("two").unwrap();
    items.remove("one").unwrap();
    assert_eq!(keychain.names(), ["here/mark"]);
}

#[test]
fn items_of_other_data_folders_stay() {
    let keychain = FakeKeychain::new();
    let (here, there) = (items(&keychain, "here"), items(&keychain, "there"));
    here.put("one", &text(5)).unwrap();
    there.put("one", &text(9)).unwrap();
    here.remove("one").unwrap();
    same(there.take("one").unwrap(), &text(9));
}
