import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { openFileStore } from '../src/record/store/files/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeStore } from './contract/store.contract.ts'

const PROJECT = { id: '01JQ0000000000000000000000', name: 'contract', mode: 'local', location: 'here' } as const
const base = mkdtempSync(join(tmpdir(), 'ken-store-'))
let records = 0
afterAll(() => rmSync(base, { recursive: true, force: true }))

describeStore('memory', {
  open: (files, options) => openMemoryStore({ project: PROJECT, clock: stepClock(), files, ...options }),
})

describeStore('files', {
  async open(files, options) {
    const root = join(base, `record-${++records}`)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return openFileStore({
      root,
      project: PROJECT,
      cacheDir: join(base, 'cache'),
      stateDir: join(base, 'state'),
      clock: stepClock(),
      ...options,
    })
  },
})
