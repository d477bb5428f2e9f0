import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll } from 'vitest'
import { KEN } from '../ken-program.ts'
import { atTerminal, type Screen, type Sitting } from '../pseudo-terminal.ts'
import { openScriptedModel, type ScriptedModel, type ScriptedStep } from '../scripted-model.ts'

export interface AskDesk {
  readonly place: string
  readonly env: Readonly<Record<string, string>>
  readonly model: ScriptedModel
  /** Types `ken …` at a terminal. */
  sit(words: readonly string[], more?: Partial<Sitting>): Promise<Screen>
  /**
   * Runs Ken with piped output; the model answers meanwhile. `printed` receives all of stdout so far after each write.
   */
  piped(
    words: readonly string[],
    input?: string,
    printed?: (stdout: string) => void,
  ): Promise<Pick<SpawnSyncReturns<string>, 'stdout' | 'stderr' | 'status'>>
}

/**
 * A context project with a shop of five orders, and a model that follows the script named in the last question, and
 * restarts it after the last step.
 */
export function useAskDesk(scripts: Readonly<Record<string, readonly ScriptedStep[]>>): AskDesk {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-ask-')))
  const env: Record<string, string> = {
    HOME: place,
    KEN_HOME: join(place, 'home'),
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
    KEN_UPKEEP: '0',
    // Learning uses the same model, and would consume a step of its script.
    KEN_MEMORY_LEARN: '0',
    TMPDIR: place,
    PAGER: 'cat',
    KEN_MODEL: 'compatible:scripted',
  }
  let model: ScriptedModel
  beforeAll(async () => {
    const counts = new Map<string, number>()
    model = await openScriptedModel(({ user, messages }) => {
      const name = Object.keys(scripts).find((one) => user.includes(one))
      if (name === undefined) throw new Error(`nothing is scripted for: ${user}`)
      const at = counts.get(name) ?? 0
      counts.set(name, at + 1)
      const step = JSON.stringify(scripts[name]![at % scripts[name]!.length]!)
      // The id of a result is known only once it is returned.
      return JSON.parse(
        step.replace(
          '"QUERY"',
          `"${JSON.stringify(messages)
            .match(/q_[0-9a-f]{12}/g)
            ?.at(-1)}"`,
        ),
      ) as ScriptedStep
    })
    env['KEN_MODEL_URL'] = `${model.url}/v1`
    const database = new DatabaseSync(join(place, 'shop.db'))
    database.exec('CREATE TABLE orders (id INTEGER, city TEXT, amount REAL)')
    database.exec(
      "INSERT INTO orders VALUES (1, 'Bern', 10), (2, 'Bern', 20), (3, 'Oslo', 30), (4, 'Oslo', 5), (5, 'Rome', 7)",
    )
    database.close()
    writeFileSync(join(place, 'ken.yaml'), 'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n')
    for (const skill of ['weekly', 'margin']) {
      mkdirSync(join(place, 'agent', 'skills', skill), { recursive: true })
      writeFileSync(
        join(place, 'agent', 'skills', skill, 'SKILL.md'),
        `---\nname: ${skill}\ndescription: How the ${skill} report is made.\n---\n\nSay ${skill} first.\n`,
      )
    }
    const synced = spawnSync(process.execPath, [KEN, 'sync'], {
      cwd: place,
      env: { PATH: process.env['PATH'], ...env, KEN_MODEL: '' },
      encoding: 'utf8',
    })
    if (synced.status !== 0) throw new Error(synced.stderr)
  }, 60_000)
  afterAll(async () => {
    await model?.close()
    rmSync(place, { recursive: true, force: true })
  })
  return {
    place,
    env,
    get model() {
      return model
    },
    sit: (words, more = {}) => atTerminal(words, { cwd: place, ...more, env: { ...env, ...more.env } }),
    piped: (words, input = '', printed = () => {}) =>
      new Promise((done) => {
        const child = spawn(process.execPath, [KEN, ...words], {
          cwd: place,
          env: { PATH: process.env['PATH'], ...env },
        })
        let [stdout, stderr] = ['', '']
        child.stdout.setEncoding('utf8').on('data', (chunk: string) => printed((stdout += chunk)))
        child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
        child.on('close', (status) => done({ stdout, stderr, status }))
        child.stdin.end(input)
      }),
  }
}
