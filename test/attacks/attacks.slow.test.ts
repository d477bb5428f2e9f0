import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dailySample } from '../daily-sample.ts'
import { KEN } from '../ken-program.ts'
import { attack, READS } from './attack.ts'
import { HOSTILE_CLONES } from './clones.ts'
import { type Looker, openLooker } from './looker.ts'
import { CANARY, type HostileClone, type Machine, openMachine } from './stage.ts'
import { watch } from './watch.ts'

const SAMPLE = 12
/** Milliseconds that all reads of an honest clone take on an idle machine. */
const USUAL_MS = 2_500

let machine: Machine
let looker: Looker
let load = 1

/** Measures the slowdown of this machine compared with an idle one, by the reads of an honest clone. */
async function measureLoad(): Promise<number> {
  const started = performance.now()
  await attack({ machine, looker, load: 10 }, HONEST)
  return Math.max(1, (performance.now() - started) / USUAL_MS)
}

const HONEST: HostileClone = { name: 'an honest clone', kind: 'none', build: () => {} }

beforeAll(async () => {
  machine = openMachine()
  looker = openLooker(machine.environment)
  // The first read loads the program.
  await attack({ machine, looker, load: 10 }, HONEST)
  load = await measureLoad()
})
afterAll(() => {
  looker.close()
  machine.close()
})

test('the corpus has at least 60 clones with unique names', () => {
  expect(HOSTILE_CLONES.length).toBeGreaterThanOrEqual(60)
  expect(new Set(HOSTILE_CLONES.map(({ name }) => name)).size).toBe(HOSTILE_CLONES.length)
  expect(READS.length).toBeGreaterThan(80)
})

test('an honest clone answers without a fault', async () => {
  const { faults, outputs } = await attack({ machine, looker, load, ken: KEN }, HONEST)
  expect(faults).toEqual([])
  expect(outputs.join('\n')).toContain('Use PostgreSQL for orders')
  expect(outputs.join('\n')).toContain('Redis')
})

describe('reading a hostile clone runs nothing, and reads and changes nothing outside it', () => {
  test.for(dailySample('Hostile clones', HOSTILE_CLONES, SAMPLE))('$kind: $name', async (clone) => {
    const { faults, late } = await attack({ machine, looker, load, ken: KEN }, clone)
    expect(faults).toEqual([])
    if (late.length === 0) return
    // Another program may have used the machine meanwhile; a clone that delays Ken does so again.
    load = await measureLoad()
    expect((await attack({ machine, looker, load, ken: KEN }, clone)).late).toEqual([])
  })
})

describe('the detectors', () => {
  const clone: HostileClone = {
    name: 'a control',
    kind: 'none',
    build(stage) {
      stage.configure(`[diff "x"]\n\ttextconv = "${stage.program('control')}; cat"\n`)
      stage.put('.git/info/attributes', '* diff=x\n')
      stage.put('docs/notes.md', `-> ${stage.up(1)}/notes.md`)
    },
  }
  const faultsOf = (act: (root: string) => readonly string[] | void): readonly string[] => {
    const { root } = machine.build(clone)
    try {
      const before = watch(machine, root)
      return before.faults(act(root) ?? [])
    } finally {
      machine.remove(root)
    }
  }

  test('notice a program that git itself runs', () => {
    expect(faultsOf((root) => void execFileSync('git', ['diff'], { cwd: root }))).toEqual(['ran a program: control'])
  })

  test('detect text that was read through a link', () => {
    const faults = faultsOf((root) => [execFileSync('cat', ['docs/notes.md'], { cwd: root, encoding: 'utf8' })])
    expect(faults).toEqual([expect.stringContaining('answered with text from outside')])
  })

  test('notice such text in one of Ken’s own files', () => {
    const faults = faultsOf(
      () => void execFileSync('sh', ['-c', `mkdir -p ${machine.kenHome} && echo '${CANARY}' > ${machine.kenHome}/x`]),
    )
    expect(faults).toEqual(['kept text from outside: x'])
  })

  test('notice a file that is written, created or removed, outside the clone or in it', () => {
    const added = join(machine.home, 'added')
    expect(
      faultsOf((root) => {
        writeFileSync(join(machine.home, '.bashrc'), 'export PRECIOUS=2\n')
        writeFileSync(added, '')
        rmSync(join(root, 'README.md'))
      }).toSorted(),
    ).toEqual([
      'changed a file outside: .bashrc',
      'changed a file outside: added',
      'changed the clone: work/a-control/README.md',
    ])
    rmSync(added)
  })

  test('detect an operation that does not answer', async () => {
    const { root } = machine.build(clone)
    const asked = { cwd: root, operation: 'status', input: {}, environment: machine.environment }
    expect(await looker.look(asked, 1)).toBeUndefined()
    expect(await looker.look(asked, 60_000)).toMatchObject({ status: 0 })
    machine.remove(root)
  })
})
