//! What is searched: the items that may be shown, and which word stands in which of them.

use crate::failure::{failed, Outcome, BAD};
use serde_json::{json, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

const FIELDS: [&str; 10] =
    ["title", "template", "entities", "aliases", "franchise", "tags", "action", "ocr_text", "visual", "meaning"];
const OPERATORS: [&str; 5] = ["who:", "from:", "tag:", "lang:", "safe:"];

/// An index of one `items.jsonl`; `corpus` and `index` are the digests that `hello` names.
pub struct Catalogue {
    pub corpus: String,
    pub index: String,
    items: Vec<(String, String)>,
    postings: BTreeMap<String, Vec<usize>>,
}

impl Catalogue {
    /// Of the bytes of `items.jsonl`.
    pub fn of(data: &[u8]) -> Outcome<Catalogue> {
        let mut texts = BTreeMap::new();
        for (number, line) in data.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let item: Value = serde_json::from_slice(line)
                .or_else(|error| failed(BAD, format!("items.jsonl:{}: {}. Restore it.", number + 1, error)))?;
            if may_be_shown(&item) {
                let named = |key: &str| item[key].as_str().unwrap_or_default().to_string();
                texts.insert(named("doc_id"), (named("title"), words_of(&item)));
            }
        }
        let mut postings: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut items = Vec::new();
        for (number, (doc_id, (title, words))) in texts.into_iter().enumerate() {
            items.push((doc_id, title));
            for word in words {
                postings.entry(word).or_default().push(number);
            }
        }
        let index = digest(json!([items, postings]).to_string().as_bytes());
        Ok(Catalogue { corpus: digest(data), index, items, postings })
    }

    /// Items by the weight of the query's words in them; none that lacks more than `least` of that weight.
    pub fn search(&self, text: &str, limit: usize, least: f64) -> Vec<Value> {
        let mut scores = vec![0.0; self.items.len()];
        let mut whole = 0.0;
        for word in words(text) {
            let found = self.postings.get(&word).map_or(&[][..], Vec::as_slice);
            let weight = (self.items.len() as f64 / (1 + found.len()) as f64).ln();
            whole += weight;
            found.iter().for_each(|number| scores[*number] += weight);
        }
        let mut best: Vec<usize> = (0..scores.len()).filter(|number| scores[*number] > least * whole).collect();
        best.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let shown = |number: usize| json!({"doc_id": self.items[number].0, "title": self.items[number].1, "routes": ["lexical"]});
        best.into_iter().take(limit).map(shown).collect()
    }
}

/// `sha256:<hex>` of `data`.
pub fn digest(data: &[u8]) -> String {
    let hex: String = Sha256::digest(data).iter().map(|byte| format!("{:02x}", byte)).collect();
    format!("sha256:{}", hex)
}

/// Rights and private data are facts; the safety class is only what the source claims.
fn may_be_shown(item: &Value) -> bool {
    item["rights"]["status"] == "cleared"
        && item["private_data"] == false
        && (item["safety"] == "safe" || item["safety"] == "sensitive")
}

fn words_of(item: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for value in FIELDS.map(|field| &item[field]) {
        let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        list.iter().filter_map(Value::as_str).for_each(|text| found.extend(words(text)));
    }
    found
}

/// An operator such as `from:` is dropped, its word is searched like any other.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let bare =
        lower.split_whitespace().map(|part| OPERATORS.iter().find_map(|name| part.strip_prefix(name)).unwrap_or(part));
    bare.flat_map(|part| part.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .map(String::from)
        .collect()
}
