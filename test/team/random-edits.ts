import { AppError } from '../../src/kernel/domain/errors.ts'
import { changeState } from '../../src/record/change-state.ts'
import { decisionPath, QUESTIONS, STACK } from '../../src/record/domain/files.ts'
import { openQuestions } from '../../src/record/domain/question.ts'
import { faultOfText, replaceText } from '../../src/record/edit-decision.ts'
import { flagOrResolve } from '../../src/record/flag-question.ts'
import { propose } from '../../src/record/propose.ts'
import { planUndo, undo } from '../../src/record/undo.ts'
import type { Home } from './home.ts'

export type Dice = (below: number) => number

/** Returns the same numbers for the same seed. */
export function dice(seed: number): Dice {
  let state = seed * 2_654_435_761
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Words written by edits that were not undone, by event id. */
export type Words = Map<string, string>

const KINDS = ['propose', 'supersede', 'update', 'edit', 'state', 'flag', 'resolve', 'stack', 'undo'] as const

/**
 * Makes one change of a random kind, which contains `word`. Returns false if the record has nothing to change that way.
 */
export async function randomEdit(home: Home, roll: Dice, { word, words }: { word: string; words: Words }) {
  const kind = KINDS[roll(KINDS.length)]!
  const before = (await home.store.journal()).length
  if (kind === 'undo') return takeBack(home, words)
  await EDITS[kind](home, roll, word)
  const events = await home.store.journal()
  if (events.length === before) return false
  words.set(events.at(-1)!.id, word)
  return true
}

type Edit = (home: Home, roll: Dice, word: string) => Promise<unknown>

const active = async ({ store }: Home) => (await store.catalogue()).decisions.filter((d) => d.status === 'active')

/** Returns a mention of another decision by number and title, to check later whether the number still matches. */
async function seen(home: Home, roll: Dice): Promise<string> {
  const { decisions } = await home.store.catalogue()
  const one = decisions[roll(decisions.length)]
  return one === undefined ? '' : ` It follows D${one.num} (${one.title}).`
}

const EDITS: Readonly<Record<Exclude<(typeof KINDS)[number], 'undo'>, Edit>> = {
  propose: async (home, roll, word) =>
    propose(home.ctx, home.store, {
      operation: 'add',
      title: `Choose ${word}`,
      rationale: `Because ${word} was measured and holds.${await seen(home, roll)}`,
    }),
  async supersede(home, roll, word) {
    const all = await active(home)
    const target = all[roll(all.length)]
    if (target === undefined) return
    await propose(home.ctx, home.store, {
      operation: 'supersede',
      affected_decision_id: `D${target.num}`,
      title: `Choose ${word}`,
      rationale: `Because ${word} replaces it and holds.${await seen(home, roll)}`,
    })
  },
  async update(home, roll, word) {
    const all = await active(home)
    const target = all[roll(all.length)]
    if (target === undefined) return
    await propose(home.ctx, home.store, {
      operation: 'update',
      affected_decision_id: `D${target.num}`,
      title: '',
      rationale: `Seen again with ${word} in March.${await seen(home, roll)}`,
    })
  },
  async edit(home, roll, word) {
    const { decisions } = await home.store.catalogue()
    const entry = decisions[roll(decisions.length)]
    const before = entry && (await home.store.read(decisionPath(entry.stem)))
    if (entry === undefined || before === undefined) return
    const after = before.replace(/Because |Keep /, (first) => `${first}${word} and `)
    if (after === before || faultOfText(after, entry.stem) !== undefined) return
    await replaceText(home.ctx, home.store, { entry, before, after })
  },
  state: (home, roll, word) =>
    changeState(home.ctx, home.store, roll(3) === 0 ? { replace: `Now ${word}.` } : { add: `- and ${word}` }),
  flag: (home, _roll, word) => flagOrResolve(home.ctx, home.store, { question: `What of ${word}?` }),
  async resolve(home, roll, word) {
    const open = openQuestions((await home.store.read(QUESTIONS)) ?? '')
    const question = open[roll(Math.max(open.length, 1))]
    if (question === undefined) return
    await propose(home.ctx, home.store, {
      operation: 'add',
      title: `Choose ${word}`,
      rationale: `Because ${word} answers what was asked.`,
      resolves_questions: [question.id],
    })
  },
  stack: (home, roll, word) =>
    home.store.commit({ surface: 'cli' }, async (draft) => {
      const text = (await draft.read(STACK)) ?? '# Stack\n'
      draft.write(STACK, roll(4) === 0 ? text.replace(/^# .*/, `$& ${word}`) : `${text}- **${word}** for something\n`)
      draft.note('update_stack', {})
      draft.snapshot('stack')
    }),
}

async function takeBack(home: Home, words: Words): Promise<boolean> {
  try {
    const plan = await planUndo(home.store)
    await undo(home.ctx, home.store, plan, 'undo')
    words.delete(plan.event.id)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
