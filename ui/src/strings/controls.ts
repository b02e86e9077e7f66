import { count } from './format';
import type { Amount, DurationProblem, Unit } from '../form/controls/durations';
import type { PemContents } from '../form/controls/pem';

const parts: Record<Amount['part'], string> = {
  d: 'day',
  h: 'hour',
  min: 'minute',
  s: 'second',
  ms: 'millisecond',
};

const units: Record<Unit, string> = { ms: 'milliseconds', s: 'seconds', min: 'minutes' };

/** What the controls of a form say. */
export const controls = {
  duration: {
    understood: (amounts: readonly Amount[]) =>
      amounts.length === 0
        ? '= no time at all'
        : `= ${amounts
            .map(({ part, amount }) => `${amount} ${parts[part]}${amount === '1' ? '' : 's'}`)
            .join(' ')}`,
    stored: (value: number | string, unit: Unit) =>
      typeof value === 'number'
        ? `stored as ${value} ${unit}`
        : `stored as "${value}", in ${units[unit]}`,
    placeholder: '2 h, 90 min, 1 h 30 min',
    problem: ({ kind, ...more }: DurationProblem & { number?: string; word?: string }): string =>
      ({
        empty: '',
        negative: 'A duration cannot be negative.',
        noUnit: `${more.number ?? ''} of what? Add a unit: ${more.number ?? '1'} s, ${more.number ?? '1'} min or ${more.number ?? '1'} h.`,
        unknownUnit: `“${more.word ?? ''}” is not a unit here. Use d, h, min, s or ms.`,
        comma: 'Write decimals with a point, as in 1.5 h.',
        notUnderstood: 'This is not a duration. Write it like 2 h, 90 min or 1 h 30 min.',
        tooLong: 'This is longer than can be stored.',
      })[kind],
    fraction: (unit: Unit) => `This is stored in whole ${units[unit]}.`,
    odd: 'This was stored as it stands here, and is not a duration.',
  },

  template: {
    insert: (label: string) =>
      label === '' ? 'Insert a variable' : `Insert a variable into ${label}`,
    suggestions: 'Variables',
    found: (n: number) =>
      `${count(n, 'variable')}. Arrow keys move, Enter or Tab inserts, Escape closes the list.`,
    unknown: (name: string) => `{{${name}}} is not known and stays empty.`,
    didYouMean: (name: string) => `Did you mean ${name}?`,
    replaceBy: (name: string) => `Use ${name}`,
    openName: (name: string) =>
      `{{${name}}} is filled in only if it is given when the environment is started.`,
    verbatim: (text: string) =>
      `${text} is left as it stands: names are made of letters, digits, “_” and “.”.`,
    unclosed: (text: string) => `${text} is left as it stands: “}}” is missing.`,
    notes: 'About the variables in this field',
    preview: 'With sample values',
    previewFailed: (title: string) => `No preview: ${title}`,
    previewEmpty: 'nothing',
    notJson: (line: number, column: number) =>
      `With the sample values this is not JSON (line ${line}, column ${column}).`,
    sample: (sample: string) => `e.g. ${sample}`,
  },

  secret: {
    keyPlaceholder: 'Name of the secret, e.g. api-token',
    keys: 'Secrets of this document',
    found: (n: number) => `${count(n, 'secret')}. Arrow keys move, Enter takes one.`,
    keyWrong:
      'A name has 1 to 64 letters, digits, “.”, “_” or “-”. The secret itself is typed below.',
    keyLength: (n: number) => `A name has at most 64 characters; this has ${n}.`,
    set: (when: string) => `set · ${when}`,
    notSet: 'no value yet',
    none: 'Pick a secret, or type a name for a new one. The value is typed after that.',
    noneElsewhere: 'Pick a secret, or type a name. Its value is entered under “Secret values”.',
    elsewhere: 'Its value is entered under “Secret values”.',
    missingElsewhere: (key: string) =>
      `No value for ${key} yet. It is entered under “Secret values”.`,
    setValue: 'Set the value',
    replace: 'Replace',
    remove: 'Remove',
    keep: 'Keep it',
    setOf: (key: string) => `Set the value of ${key}`,
    replaceOf: (key: string) => `Replace the value of ${key}`,
    removeOf: (key: string) => `Remove the value of ${key}`,
    removeTitle: (key: string) => `Remove the value of ${key}?`,
    removeBody: 'Everything that uses it stops working until a value is set again.',
    valueOf: (key: string) => `Value of ${key}`,
    valueHint: 'Typed once. It is kept by Berth, not in the document, and never shown again.',
    save: 'Keep the value',
    saving: 'Keeping it',
    removing: 'Removing',
    saved: (key: string) => `The value of ${key} is set`,
    removed: (key: string) => `The value of ${key} is removed`,
    spaces: 'It begins or ends with a space.',
    lines: (n: number) => `${count(n, 'line')} pasted, not shown`,
    clear: 'Clear',
    entered: 'A value is entered. It is not shown.',
    enteredHint: 'Typed once, and not shown again.',
  },

  pem: {
    holds: ({ certificates, others }: Extract<PemContents, { kind: 'blocks' }>) =>
      [
        certificates > 0 ? count(certificates, 'certificate') : '',
        ...others.map(([label, n]) => (n === 1 ? `1 block “${label}”` : `${n} blocks “${label}”`)),
      ]
        .filter(Boolean)
        .join(', '),
    notPem: 'This is not a PEM block. It begins with -----BEGIN CERTIFICATE-----.',
    cut: (label: string) => `The end is missing: -----END ${label}-----.`,
    damaged: (label: string) => `What stands inside “${label}” is not base64.`,
    keyLeftOut:
      'A private key was in it and was left out: it is not needed here and does not belong in a document.',
    load: 'Load from a file',
    loadOf: (label: string) => (label === '' ? 'Load from a file' : `Load from a file: ${label}`),
    tooLarge: 'The file is larger than 1 MB, which no certificate is.',
    unreadable: (reason: string) => `The file could not be read: ${reason}`,
    hint: 'Paste it, or load it from a file.',
  },

  json: {
    wrong: (line: number, column: number, what: string) =>
      `Not JSON yet: line ${line}, column ${column}: ${what}`,
    valid: 'JSON, taken over as it is typed.',
    what: {
      InvalidSymbol: 'this word means nothing in JSON',
      InvalidNumberFormat: 'this number is not written as JSON writes numbers',
      PropertyNameExpected: 'a name in double quotes is missing',
      ValueExpected: 'a value is missing',
      ColonExpected: 'a colon is missing',
      CommaExpected: 'a comma is missing',
      CloseBraceExpected: 'a closing } is missing',
      CloseBracketExpected: 'a closing ] is missing',
      EndOfFileExpected: 'something follows after the end',
      InvalidCommentToken: 'JSON has no comments',
      UnexpectedEndOfComment: 'JSON has no comments',
      UnexpectedEndOfString: 'the closing double quote is missing',
      UnexpectedEndOfNumber: 'the number breaks off',
      InvalidUnicode: 'this \\u escape is not complete',
      InvalidEscapeCharacter: 'this escape is not known',
      InvalidCharacter: 'this character must be written as an escape',
      tooDeep: 'this is nested too deeply',
      other: 'this is not JSON',
    } as Record<string, string>,

    label: 'The document as JSON',
    help: 'Tab leaves the text; it does not indent. Undo also takes back what the form wrote.',
    undo: 'Undo',
    redo: 'Do again',
    problems: (n: number) => count(n, 'problem'),
    noProblems: 'No problems',
    problemList: 'Problems in the text',
    more: (n: number) => `and ${count(n, 'more', 'more')}`,
    at: (line: number | null, column: number | null) =>
      line === null ? '' : column === null ? `Line ${line}` : `Line ${line}, column ${column}`,
    of: (path: string, message: string) => (path === '' ? message : `${path}: ${message}`),
    lineHas: (line: number, messages: readonly string[]) => `Line ${line}: ${messages.join(' ')}`,
  },
};
