import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../src/kernel/ports/clock.ts'
import { decisionStem } from '../../src/record/domain/decision/decision-id.ts'
import type { Decision } from '../../src/record/domain/decision/decision.ts'
import { duplicateHash, formatHashIndex, parseHashIndex } from '../../src/record/domain/decision/duplicate.ts'
import { formatDecision } from '../../src/record/domain/decision/format.ts'
import { parseDecision } from '../../src/record/domain/decision/parse.ts'
import { HASHES, QUESTIONS, decisionPath } from '../../src/record/domain/files.ts'
import { addQuestion, nextQuestionNumber, resolveQuestions } from '../../src/record/domain/question.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'
import { decision } from '../contract/decision-text.ts'

const DRIVER = fileURLToPath(new URL('driver.ts', import.meta.url))

/** A clone with its record in .ken/record, and Ken's merge driver. */
export interface Clone {
  readonly path: string
  git(...values: string[]): string
  open(): Promise<Store>
  /** Messages from opening the record, since the last call. */
  told(): string[]
  /** Opens the record, changes it, commits the files. */
  change(message: string, work: (store: Store) => Promise<unknown>): Promise<void>
}

export function makeClone(path: string, clock: Clock, origin?: string): Clone {
  const run = (cwd: string, values: readonly string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=false', ...values], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_EDITOR: 'true' },
    })
  mkdirSync(path, { recursive: true })
  run(path, origin === undefined ? ['init', '-q', '-b', 'main'] : ['clone', '-q', origin, '.'])
  const git = (...values: string[]) => run(path, values)
  git('config', 'user.name', 'Ken Test')
  git('config', 'user.email', 'test@example.org')
  git('config', 'merge.ken.driver', `"${process.execPath}" "${DRIVER}" %O %A %B %P`)
  const heard: string[] = []
  const open = () =>
    openFileStore({
      told: (line) => heard.push(line),
      root: join(path, '.ken', 'record'),
      project: { id: '01JQ0000000000000000000000', name: 'merge', mode: 'repo', location: path },
      cacheDir: join(path, '..', 'cache'),
      stateDir: join(path, '..', 'state'),
      clock,
    })
  return {
    path,
    git,
    open,
    told: () => heard.splice(0),
    async change(message, work) {
      const store = await open()
      await work(store).finally(() => store.close())
      git('add', '-A')
      git('commit', '-qm', message)
    },
  }
}

export async function propose(
  store: Store,
  title: string,
  more: Partial<Decision> & { resolves?: number } = {},
): Promise<number> {
  return store.commit({ surface: 'cli' }, async (draft) => {
    const { decisions } = await draft.catalogue()
    const num = Math.max(0, ...decisions.map((d) => d.num)) + 1
    const { resolves, ...fields } = more
    const made = decision(num, title, fields)
    const stem = decisionStem(num, title)
    draft.write(decisionPath(stem), formatDecision(made))
    const old = decisions.find((d) => String(d.num) === made.supersedes)
    if (old !== undefined)
      draft.write(
        decisionPath(old.stem),
        formatDecision({
          ...parseDecision((await draft.read(decisionPath(old.stem)))!, `${old.stem}.md`),
          status: 'superseded',
          superseded_by: String(num),
        }),
      )
    const hashes = parseHashIndex(await draft.read(HASHES))!
    draft.write(
      HASHES,
      formatHashIndex({
        ...hashes,
        [duplicateHash(title, made.rationale)]: { decision_id: stem, timestamp: `2026-01-01T00:00:0${num % 10}.000Z` },
      }),
    )
    if (resolves !== undefined)
      draft.write(
        QUESTIONS,
        resolveQuestions((await draft.read(QUESTIONS))!, new Set([resolves]), num, '2026-03-01').text,
      )
    draft.note('propose_decision', { decision: stem, ...(resolves !== undefined && { resolved: [`Q${resolves}`] }) })
    draft.snapshot(`decision: ${stem}`)
    return num
  })
}

export async function ask(store: Store, question: string): Promise<void> {
  await store.commit({ surface: 'cli' }, async (draft) => {
    const text = (await draft.read(QUESTIONS)) ?? '# Open Questions\n'
    draft.write(QUESTIONS, addQuestion(text, nextQuestionNumber(text), question))
    draft.note('flag_question', {})
  })
}

export async function update(store: Store, num: number, addition: string): Promise<void> {
  await store.commit({ surface: 'cli' }, async (draft) => {
    const { stem } = (await draft.catalogue()).decisions.find((d) => d.num === num)!
    const old = parseDecision((await draft.read(decisionPath(stem)))!, `${stem}.md`)
    draft.write(
      decisionPath(stem),
      formatDecision({
        ...old,
        version: old.version + 1,
        rationale: `${old.rationale}\n\n*Update (v${old.version + 1}) — 2026-03-01:* ${addition}`,
      }),
    )
  })
}
