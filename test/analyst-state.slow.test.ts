import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { describeAnalystState } from './contract/analyst-state.contract.ts'

const base = mkdtempSync(join(tmpdir(), 'ken-analyst-state-'))
let files = 0
const freshPath = () => join(base, `state-${++files}.db`)
afterAll(() => rmSync(base, { recursive: true, force: true }))

describeAnalystState('sqlite', { open: () => openSqliteAnalystState(freshPath()) })
