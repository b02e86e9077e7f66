// Writes what the fuzzer begins with: a file for each case of the contract, and a dictionary of JSON's and
// the contract's words.
//
// usage: node seeds.mjs CORPUS DICTIONARY
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const [corpus, dictionary] = process.argv.slice(2)
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')

// In the order in which the validator numbers its schemas.
const schemas = JSON.parse(read('../../../ui/src/generated/contract.json'))
const names = Object.keys(schemas)

mkdirSync(corpus, { recursive: true })
for (const line of read('../../../tests/data/contract/cases.jsonl').trim().split('\n')) {
  const { schema, input } = JSON.parse(line)
  const number = names.indexOf(schema)
  if (number < 0) throw new Error(`${schema} is no schema of the contract`)
  const seed = Buffer.concat([Buffer.from([number]), Buffer.from(JSON.stringify(input))])
  writeFileSync(`${corpus}/${createHash('sha1').update(seed).digest('hex')}`, seed)
}

const words = new Set()
const collect = (value) => {
  if (Array.isArray(value)) return value.forEach(collect)
  if (value === null || typeof value !== 'object') return
  Object.keys(value.properties ?? {}).forEach((key) => words.add(`${JSON.stringify(key)}:`))
  for (const word of [...(value.enum ?? []), ...('const' in value ? [value.const] : [])]) {
    words.add(JSON.stringify(word))
  }
  Object.values(value).forEach(collect)
}
collect(schemas)
const quoted = [...words].sort().map((word) => `"${word.replace(/["\\]/g, '\\$&')}"`)
writeFileSync(dictionary, `${read('json.dict')}${quoted.join('\n')}\n`)
