import { expect, test } from 'vitest'
import { displayWidth } from '../src/kernel/domain/view/width.ts'
import { LONG, useTerminalDesk } from './terminal-desk.ts'

const ESCAPE = '\u001b'
const { sit, piped, decisions, read } = useTerminalDesk()
// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')

atDesk(
  'a list has colours, ages and fitted lines; in a pipe it is complete and plain',
  async () => {
    const { raw, text, code } = await sit(['decisions'], { columns: 60 })
    expect(code).toBe(0)
    expect(raw).toContain(`${ESCAPE}[1mD002${ESCAPE}[22m`)
    expect(text).toContain('D002  today')
    expect(text).toMatch(/D003 {2}today {2}A title that is so long.*…\n/)
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(60)
    const { stdout } = piped(['decisions'])
    expect(stdout).toContain(LONG)
    expect(stdout).toMatch(/D002 {2}\d{4}-\d\d-\d\d {2}\[active\] {2}Cache hot reads in Redis\n/)
    expect(stdout).not.toContain(ESCAPE)
  },
  120_000,
)

atDesk(
  'marks query words, shows scores as words, and ignores colours in record text',
  async () => {
    const { raw, text } = await sit(['search-decisions', 'ledgers', '--limit', '1'])
    expect(raw).toContain(`${ESCAPE}[36mledger${ESCAPE}`)
    expect(text).toContain('strong')
    expect(text).not.toContain('BM25')
    expect(text).toContain('drift \\u{1b}[31mred\\u{e}b marked\\u{f}')
    expect(raw).not.toContain(`${ESCAPE}[31m`)
    expect((await sit(['search-decisions', 'ledgers', '--verbose'])).text).toMatch(/BM25 \d/)
  },
  120_000,
)

atDesk(
  'asks for a decision, shows related ones before recording it, and undoes it',
  async () => {
    const before = decisions()
    const asked = await sit(['propose'], {
      answers: [
        ['What was decided', 'Put Memcached in front\r'],
        ['Why?', 'too short\r'],
        ['too short', ' but longer now, and said.\r'],
        ['What else was considered', 'Varnish\r'],
        ['Why not Varnish?', 'Another thing to run.\r'],
        ['What else?', '\r'],
        ['Record it?', 'y'],
      ],
    })
    expect(asked.code).toBe(0)
    expect(asked.text.indexOf('Cache hot reads in Redis')).toBeLessThan(asked.text.indexOf('Record it?'))
    expect(asked.text).toMatch(/Recorded as D004 "Put Memcached in front"\. `ken undo` takes it back\./)
    const [made] = decisions().filter((name) => !before.includes(name))
    const written = read('decisions', made!)
    expect(written).toContain('too short but longer now, and said.')
    expect(written).toMatch(/Varnish[^]*Another thing to run\./)

    const kept = await sit(['undo'], { answers: [['Take it back?', '\u0003']] })
    expect(kept.text).toContain('D004 "Put Memcached in front" was recorded')
    expect(decisions()).toContain(made)
    const undone = await sit(['undo'], { answers: [['Take it back?', 'y']] })
    expect(undone).toMatchObject({ code: 0, text: expect.stringContaining('Taken back:') })
    expect(decisions()).toEqual(before)
  },
  120_000,
)

atDesk(
  'leaves nothing behind after Ctrl-C or a denial',
  async () => {
    const before = decisions()
    const journal = read('journal', 'events.jsonl')
    const stopped = await sit(['propose', 'Queue in Postgres'], { answers: [['Why?', '\u0003']] })
    expect(stopped).toMatchObject({ code: 130, text: expect.stringContaining('Nothing was recorded.') })
    const declined = await sit(['propose', 'Queue in Postgres'], {
      answers: [
        ['Why?', 'One service less to run than a broker.\r'],
        ['What else was considered', '\r'],
        ['Record it?', 'n'],
      ],
    })
    expect(declined.code).toBe(1)
    expect(decisions()).toEqual(before)
    expect(read('journal', 'events.jsonl')).toBe(journal)
  },
  120_000,
)
