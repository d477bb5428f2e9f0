import type { Readable, Writable } from 'node:stream'
import { cancel, confirm, intro, isCancel, select, text } from '@clack/prompts'
import { visibleLine } from '../../core/trust/visible.ts'

export interface WizardStreams {
  readonly input: Readable
  readonly output: Writable
}

const DATABASES = [
  { value: 'duckdb', label: 'DuckDB', hint: 'a file' },
  { value: 'sqlite', label: 'SQLite', hint: 'a file' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL, MariaDB' },
  { value: '', label: 'None', hint: 'add one to ken.yaml later' },
]

class Stopped extends Error {}

/**
 * Asks a person what a context project should hold, and gives the words they could have typed. Undefined when they
 * stop.
 */
export async function askForContext(folder: string, streams: WizardStreams): Promise<readonly string[] | undefined> {
  const ask = async <T>(answer: Promise<T>): Promise<Exclude<T, symbol>> => {
    const given = await answer
    if (isCancel(given)) throw new Stopped()
    return given as Exclude<T, symbol>
  }
  try {
    intro('A context project: databases, repositories and documents as files', streams)
    const name = await ask(
      text({ ...streams, message: 'What is it called?', placeholder: visibleLine(folder), defaultValue: folder }),
    )
    const type = await ask(select({ ...streams, message: 'Which database?', options: DATABASES }))
    const database = type === '' ? [] : ['--database', `${type}:${await ask(whereIs(type, streams))}`]
    const repository = await ask(
      text({ ...streams, message: 'A repository to include? (address or folder, empty for none)', defaultValue: '' }),
    )
    const docs = await ask(
      text({ ...streams, message: 'A folder or llms.txt with documents? (empty for none)', defaultValue: '' }),
    )
    if (!(await ask(confirm({ ...streams, message: 'Make it?' })))) throw new Stopped()
    return [
      '--name',
      name,
      ...database,
      ...(repository ? ['--repository', repository] : []),
      ...(docs ? ['--docs', docs] : []),
    ]
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    cancel('Nothing was made.', streams)
    return undefined
  }
}

function whereIs(type: string, streams: WizardStreams): Promise<string | symbol> {
  const isFile = type === 'duckdb' || type === 'sqlite'
  return text({
    ...streams,
    message: isFile ? 'Where is the file?' : 'Which environment variable holds its address?',
    placeholder: isFile ? `shop.${type === 'duckdb' ? 'duckdb' : 'db'}` : 'DATABASE_URL',
    validate: (given) => (given ? undefined : 'Please say it.'),
  }).then((given) => (isCancel(given) || isFile ? given : `\${${String(given).replaceAll(/[^\w]/g, '')}}`))
}
