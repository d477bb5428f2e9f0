import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG, useTerminalDesk } from './terminal-desk.ts'

const ESCAPE = '\u001b'
const { place, sit, piped, decisions, read } = useTerminalDesk()
// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')

atDesk(
  'uses colours according to the flag and the environment',
  async () => {
    const without = [
      await sit(['decisions', '--color=never']),
      await sit(['--no-color', 'decisions']),
      await sit(['decisions'], { env: { NO_COLOR: '1' } }),
      await sit(['decisions'], { env: { TERM: 'dumb' } }),
    ]
    for (const { raw } of without) expect(raw).not.toContain(ESCAPE)
    for (const { stdout } of [piped(['decisions', '--color=always']), piped(['decisions'], { FORCE_COLOR: '1' })]) {
      expect(stdout).toContain(`${ESCAPE}[1mD002`)
      expect(stdout).toContain(LONG)
      expect(stdout).toMatch(/\d{4}-\d\d-\d\d/)
    }
    expect(JSON.parse(piped(['decisions', '--json', '--color=always']).stdout)).toHaveProperty('decisions')
    expect(piped(['decisions', '--color=sometimes'])).toMatchObject({ status: 2, stdout: '' })
  },
  120_000,
)

atDesk(
  'opens an editor for long text: removes comments, records nothing for empty text, and reopens invalid text',
  async () => {
    const editor = join(place, 'editor.sh')
    const seen = join(place, 'seen')
    writeFileSync(
      editor,
      `#!/bin/sh\ncat "$2" >> '${seen}'\nif [ -e '${place}/again' ]; then printf 'One service less.\\n# no\\n\\nAnd one backup less.\\n' > "$2"; else touch '${place}/again'; echo short > "$2"; fi\n`,
    )
    chmodSync(editor, 0o755)
    const written = await sit(['propose', 'Queue in Postgres'], {
      env: { VISUAL: `${editor} --wait` },
      answers: [
        ['Why?', '\r'],
        ['What else was considered', '\r'],
        ['Record it?', 'y'],
      ],
    })
    expect(written.code).toBe(0)
    expect(readFileSync(seen, 'utf8')).toMatch(/# Queue in Postgres\nshort\n\n# The rationale is too short/)
    const [made] = decisions().filter((name) => name.includes('queue-in-postgres'))
    expect(read('decisions', made!)).toContain('One service less.\n\nAnd one backup less.')
    const emptied = await sit(['propose', 'Queue in Kafka'], { env: { EDITOR: 'true' }, answers: [['Why?', '\r']] })
    expect(emptied).toMatchObject({ code: 130, text: expect.stringContaining('The text is empty') })
    const broken = await sit(['propose', 'Queue in Kafka'], { env: { EDITOR: 'false' }, answers: [['Why?', '\r']] })
    expect(broken).toMatchObject({ code: 7, text: expect.stringContaining('The editor `false`') })
    expect(readdirSync(place).filter((name) => name.startsWith('ken-edit-'))).toEqual([])
    expect(decisions().filter((name) => name.includes('kafka'))).toEqual([])
  },
  120_000,
)

atDesk(
  'does not ask in a pipe, or if the command line has the reason',
  async () => {
    expect(piped(['propose', 'Queue in Kafka'])).toMatchObject({ status: 2, stdout: '' })
    const said = await sit(['propose', 'Queue in Kafka', '--rationale', 'Replay, and many readers of one stream.'])
    expect(said).toMatchObject({ code: 0, text: expect.stringContaining('Recorded as') })
    expect(said.text).not.toContain('Why?')
  },
  120_000,
)
