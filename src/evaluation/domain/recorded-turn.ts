import { checkCitations } from '../../analyst/domain/citation/check-citations.ts'
import { numbersIn } from '../../analyst/domain/citation/number-in-text.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import { caseName, type WrittenCase } from './case-text.ts'
import type { CaseOf } from './test-case.ts'
import type { TurnFacts, TurnQuery } from './turn-facts.ts'

type Assertion = CaseOf<'answer'>['assert'][number]

export interface RecordedTurn {
  /** The person's question, and their earlier messages in the chat. */
  readonly prompt: string
  readonly earlier: readonly string[]
  readonly facts: TurnFacts
  /** `2026-11-16`. */
  readonly day: string
  readonly name: string | undefined
  readonly taken: ReadonlySet<string>
  readonly tags: readonly string[]
  /** Database of a statement; undefined if there is only one. */
  databaseOf(query: TurnQuery): string | undefined
  /** Whether an assertion holds for this turn; one that does not would fail at once. */
  holds(assertion: Assertion): boolean
}

/** With more, the case would test the wording. */
const MOST_NUMBERS = 5

/**
 * Turns a recorded turn into a case: the statement that its answer is based on, or assertions about the answer itself.
 * The analyst's wording is not an expectation yet, so it is put into comments.
 */
export function recordedTurn(turn: RecordedTurn): WrittenCase {
  const { facts, day } = turn
  const isOpen = turn.holds({ clarifies: true }) || turn.holds({ refuses: true })
  const query = isOpen ? undefined : restsOn(facts)
  const asked = {
    name: turn.name ?? caseName(turn.prompt, turn.taken),
    kind: query === undefined ? 'answer' : 'sql',
    ...(turn.tags.length > 0 && { tags: [...turn.tags] }),
    ...(turn.earlier.length > 0 && { earlier: turn.earlier.map(visible) }),
    prompt: visible(turn.prompt).trim(),
  }
  const database = query && turn.databaseOf(query)
  const expected =
    query === undefined
      ? { assert: assertions(turn) }
      : { sql: query.sql.trim(), ...(database !== undefined && { database }) }
  return {
    about: `Recorded on ${day}.`,
    fields: { ...asked, ...expected },
    quotes: [
      ...(facts.question === undefined ? [] : [{ title: 'What the analyst asked back:', text: facts.question }]),
      {
        title: 'What the analyst answered, for you to say with `assert` what of it must stay:',
        text: facts.question === undefined ? facts.text : '',
      },
      { title: 'It used these tools and tables; what must stay so goes without the mark:', text: suggestions(facts) },
    ],
  }
}

/**
 * Query whose result most numbers of the answer came from, otherwise the last one. A result with more rows than are
 * kept cannot be compared.
 */
function restsOn({ queries, citations, charted }: TurnFacts): TurnQuery | undefined {
  const cited = citations.filter(({ state }) => state === 'checked').map((one) => one.query)
  const weight = ({ id }: TurnQuery): number =>
    cited.filter((one) => one === id).length + (charted.includes(id) ? 1 : 0)
  const whole = queries.filter(({ cut }) => !cut)
  return whole.toSorted((a, b) => weight(a) - weight(b) || whole.indexOf(a) - whole.indexOf(b)).at(-1)
}

function assertions(turn: RecordedTurn): readonly Assertion[] {
  const { facts, prompt, earlier } = turn
  for (const one of [{ clarifies: true }, { refuses: true }]) if (turn.holds(one)) return [one]
  const said = checkCitations(facts.text, [], [prompt, ...earlier].join('\n'))
  const numbers = new Set(said.flatMap(({ text }) => numbersIn(text)[0]?.readings[0]?.value ?? []))
  const held = [...numbers].map((number): Assertion => ({ number })).filter((one) => turn.holds(one))
  const plain: readonly Assertion[] = [{ refuses: false }, { clarifies: false }]
  return held.length > 0 ? held.slice(0, MOST_NUMBERS) : plain.filter((one) => turn.holds(one))
}

/** Suggested fields that can be copied unchanged. */
function suggestions({ calls, queries }: TurnFacts): string {
  const tools = [...new Set(calls.filter(({ failed }) => !failed).map(({ tool }) => tool))]
  const tables = [...new Set(queries.flatMap((query) => query.tables))]
  return [
    ...(tools.length === 0 ? [] : [`called: [${tools.join(', ')}]`]),
    ...(tables.length === 0 ? [] : [`tables: [${tables.join(', ')}]`]),
  ].join('\n')
}
