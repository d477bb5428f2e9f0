// Fails every step of recording a decision in turn, once and permanently, and compares the writer's report with the
// next read of the record: `node fault-sweep.ts [<every nth step> [<errno>…]]`. Prints a report as JSON; exits with 1
// if any report was false.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../src/kernel/domain/errors.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { openFileStore } from '../../src/record/store/files/index.ts'
import { watchDisk } from './disk-steps.ts'
import { recordOne } from './record-one.ts'

export interface FaultReport {
  readonly faults: number
  /** How often each was reported: recorded, not recorded, will be finished. */
  readonly told: Readonly<Record<Told['recorded'], number>>
  /** Reports that turned out false. */
  readonly lies: readonly string[]
}

interface Told {
  readonly recorded: 'yes' | 'no' | 'later'
  readonly line: string
  /** The call that failed; undefined if the change was complete before its step. */
  readonly failed: string | undefined
}

interface Fault {
  readonly step: number
  readonly errno: string
  readonly lasts: boolean
}

const base = mkdtempSync(join(tmpdir(), 'ken-faults-'))
const [every = '1', ...errnos] = process.argv.slice(2)
// Undefined while the disk works.
let fault: Fault | undefined
let counted = 0
let failed: string | undefined
watchDisk(({ name, path }) => {
  if (fault === undefined || (path !== undefined && !path.startsWith(base))) return
  const at = counted++
  if (at !== fault.step && !(fault.lasts && at > fault.step)) return
  failed ??= `${name} ${path?.slice(base.length) ?? ''}`
  throw Object.assign(new Error(`${fault.errno}: injected, ${name}`), { code: fault.errno, errno: -1, syscall: name })
})

try {
  const report = await sweep(Number(every), errnos.length === 0 ? ['EIO', 'ENOSPC', 'EACCES'] : errnos)
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  process.exitCode = report.lies.length === 0 ? 0 : 1
} finally {
  rmSync(base, { recursive: true, force: true })
}

async function sweep(step: number, codes: readonly string[]): Promise<FaultReport> {
  const start = join(base, 'start')
  await using(start, async (store) => {
    for (const title of ['One', 'Two', 'Three']) await recordOne(store, title)
  })
  const told = { yes: 0, no: 0, later: 0 }
  const lies: string[] = []
  let faults = 0
  for (const errno of codes) {
    for (const lasts of [false, true]) {
      for (let at = 0; ; at += step) {
        const folder = join(base, `${errno}-${lasts}-${at}`)
        for (const part of ['record', 'cache']) cpSync(join(start, part), join(folder, part), { recursive: true })
        const answer = await tryOn(folder, { step: at, errno, lasts })
        if (answer.failed === undefined) break
        faults++
        told[answer.recorded]++
        const name = `${errno}${lasts ? ' for good' : ''} at step ${at} (${answer.failed}), told "${answer.line}"`
        if (answer.line.startsWith('raw')) lies.push(`${name}: not a clear line`)
        lies.push(...(await truth(folder, answer.recorded)).map((found) => `${name}: ${found}`))
        rmSync(folder, { recursive: true, force: true })
      }
    }
  }
  return { faults, told, lies }
}

async function tryOn(folder: string, wanted: Fault): Promise<Told> {
  return using(folder, async (store) => {
    await store.catalogue()
    failed = undefined
    try {
      const stem = await recordOne(store, 'On a failing disk', () => {
        counted = 0
        fault = wanted
      })
      return { recorded: 'yes', line: stem, failed }
    } catch (error) {
      if (!(error instanceof AppError)) return { recorded: 'no', line: `raw ${String(error)}`, failed }
      return { recorded: (error.details?.['recorded'] as 'later' | undefined) ?? 'no', line: error.line, failed }
    } finally {
      fault = undefined
    }
  })
}

/** Compares the record, once the disk works again, with the report. */
async function truth(folder: string, said: Told['recorded']): Promise<string[]> {
  return using(folder, async (store) => {
    const isThere = (await store.catalogue()).decisions.some((d) => d.title === 'On a failing disk')
    const found = (await store.verify()).map((d) => `verify finds ${d.path} ${d.kind}`)
    if (isThere !== (said !== 'no')) found.push(isThere ? 'but it is recorded' : 'but it is not recorded')
    await recordOne(store, 'Afterwards')
    return found
  })
}

async function using<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const store = await openFileStore({
    root: join(folder, 'record'),
    cacheDir: join(folder, 'cache'),
    stateDir: join(folder, 'state'),
    clock: systemClock,
    project: { id: '01JQ0000000000000000000000', name: 'faults', mode: 'local', location: folder },
  })
  return work(store).finally(() => store.close())
}
