import { expect, test } from 'vitest'
import { analyse, analyseQuery, appendInflections, appendTokens, newTokenList, tokenText } from './analyse.ts'

/** Tokens that find a document with this text. */
function indexed(text: string): ReadonlySet<string> {
  const tokens = newTokenList()
  appendTokens(text, tokens)
  appendInflections(tokens)
  return new Set(Array.from({ length: tokens.size }, (_, at) => tokenText(tokens.numbers[at]!)))
}

const finds = (question: string, text: string): readonly string[] => {
  const held = indexed(text)
  return analyseQuery(question)
    .filter(({ term, parts }) => held.has(term) || (parts.length > 0 && parts.every((part) => held.has(part))))
    .map(({ word }) => word)
}

test.each([
  ['счетов клиента', 'Мы перенесли счета клиентов в новую базу данных.', ['счетов', 'клиента']],
  ['новой базы', 'Мы перенесли счета клиентов в новую базу данных.', ['новой', 'базы']],
  ['λογαριασμού πελάτη', 'Οι λογαριασμοί των πελατών', ['λογαριασμου', 'πελατη']],
])('%s finds other endings in a script that identifies the language', (question, text, words) => {
  expect(finds(question, text)).toEqual(words)
})

test.each([
  [
    'warum ist die Verbindung ausgefallen',
    'Der Server fiel aus, weil die Verbindungen zur Datenbank nicht mehr für alle reichten und keine frei wurde.',
    ['Verbindung'],
  ],
  [
    'wo werden Rechnungen gespeichert',
    'Eine Rechnung wird nicht mit den anderen Belegen, sondern für sich auf dem Server und im Archiv abgelegt.',
    ['Rechnungen'],
  ],
  [
    'pourquoi les connexions sont lentes',
    'Une connexion est lente quand le serveur répond avec retard, et les autres sont dans la file.',
    ['connexions', 'lentes'],
  ],
  [
    'como se guardan los errores',
    'El pedido se valida cuando el cliente lo envía, y cada error se guarda con una marca por día.',
    ['guardan', 'errores'],
  ],
])('%s finds other endings in a text of that language', (question, text, words) => {
  expect(finds(question, text)).toEqual(words)
})

test.each([
  'How do we die gracefully when the sin of a con is para-normal?',
  'const das = new Das(los.drain()) // parse the header of the pool, and retry once on failure',
  'The server fails because the connections of the database ran out, and none was free.',
])('reads %s as English', (text) => {
  expect([...indexed(text)]).toEqual([...new Set(analyse(text))])
})

test('leaves out filler words of a question in another language', () => {
  expect(analyseQuery('warum ist die Verbindung ausgefallen').map(({ word }) => word)).toEqual([
    'Verbindung',
    'ausgefallen',
  ])
  expect(analyseQuery('wann').map(({ word }) => word)).toEqual(['wann'])
})

test.each(['door code', 'What places has Nate met new people?', 'cost per class on los angeles days', 'dos com hat'])(
  'keeps every word of the English question "%s"',
  (question) => {
    expect(analyseQuery(question).filter(({ isInflected }) => isInflected)).toEqual([])
    expect(analyseQuery(question).map(({ word }) => word)).toEqual(
      question.match(/\w+/g)!.filter((word) => !/^(?:what|has|on)$/i.test(word)),
    )
  },
)
