import { expect, it } from 'vitest'
import { wordsOf, type SourceKind } from './source-words.ts'

const field = (name: string, secret = false) => ({
  name,
  type: 'text' as const,
  required: false,
  secret,
  about: '',
})

it('a filled form becomes command arguments, without empty fields and with the password unchanged', () => {
  const kind: SourceKind = {
    word: 'postgres',
    label: 'PostgreSQL',
    kind: 'database',
    fields: [field('host'), field('database'), field('password', true)],
  }
  expect(wordsOf(kind, { host: ' db.example ', database: '', password: ' with spaces ', other: 'x' })).toEqual([
    'postgres',
    'host=db.example',
    'password= with spaces ',
  ])
})
