/** Where the kinds of documents say what they are called, most telling first. */
const NAMES = [
  ['label'],
  ['manifest', 'label'],
  ['kubernetes', 'label'],
  ['config', 'label'],
  ['config', 'manifest', 'label'],
  ['config', 'kubernetes', 'label'],
  ['manifestId'],
  ['name'],
];

/** What a document calls itself, else its kind. */
export function nameOf(value: unknown, kind: string): string {
  for (const path of NAMES) {
    let at = value;
    for (const key of path) at = (at as Record<string, unknown> | null | undefined)?.[key];
    if (typeof at === 'string' && at.trim() !== '') return at.trim();
  }
  return kind;
}

/** `Acme previews` becomes `acme-previews.json`. */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return `${plain || 'document'}.json`;
}
