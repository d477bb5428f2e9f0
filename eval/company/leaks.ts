import { KINDS, PEOPLE, WATCHED, plain, type Kind, type Person } from './people.ts'

export interface Leak {
  readonly kind: Kind
  readonly value: string
  readonly path: string
  /** The part of the value found. */
  readonly part: string
}

/** Planted personal values, and identifying parts of them, that occur in a committed text. */
export function findLeaks(files: ReadonlyMap<string, string>): readonly Leak[] {
  const watched = WATCHED.flatMap((person) =>
    KINDS.map((kind) => ({ kind, value: person.values[kind], parts: partsOf(person, kind) })),
  )
  return [...files].flatMap(([path, text]) => {
    const forms = { words: plain(text), digits: text.replace(/(?<=\d)[ /.-](?=\d)/g, '') }
    return watched.flatMap(({ kind, value, parts }) => {
      const part =
        parts.words.find((word) => hasWord(forms.words, plain(word))) ??
        parts.digits.find((digits) => forms.digits.includes(digits))
      return part === undefined ? [] : [{ kind, value, path, part }]
    })
  })
}

/** Number of other people's values that occur verbatim; salaries and dates are personal only beside a name. */
export function countOthers(files: ReadonlyMap<string, string>): number {
  const all = plain([...files.values()].join('\n'))
  const kinds = KINDS.filter((kind) => kind !== 'salary' && kind !== 'birth date')
  return PEOPLE.slice(WATCHED.length).reduce(
    (sum, { values }) => sum + kinds.filter((kind) => hasWord(all, plain(values[kind]))).length,
    0,
  )
}

function partsOf({ surname, values }: Person, kind: Kind): { words: readonly string[]; digits: readonly string[] } {
  const value = values[kind]
  const bare = value.replace(/\D/g, '')
  switch (kind) {
    case 'name':
      return { words: [value, surname], digits: [] }
    case 'email':
      return { words: [value, value.split('@')[0]!], digits: [] }
    case 'phone':
    case 'iban':
    case 'card':
      return { words: [value], digits: [bare.slice(-8)] }
    case 'birth date': {
      const [year, month, day] = value.split('-')
      return { words: [value, `${day}.${month}.${year}`], digits: [] }
    }
    case 'salary':
      return { words: [value, Number(value).toLocaleString('en')], digits: [] }
    case 'tax id':
    case 'social security number':
    case 'ip address':
    case 'licence plate':
    case 'address':
    case 'username':
      return { words: [value], digits: [] }
  }
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[a-z0-9]/.test(text[at - 1] ?? '') && !/[a-z0-9]/.test(text[at + word.length] ?? '')) return true
  return false
}
