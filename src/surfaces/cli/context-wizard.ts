import type { Readable, Writable } from 'node:stream'
import { confirm, intro, isCancel, select, text } from '@clack/prompts'
import { shortDatabases } from '../../core/context-project/scaffold.ts'
import type { ContextRules, WarehouseRules } from '../../core/context-project/source-rules.ts'
import { AppError } from '../../core/errors.ts'
import { visibleLine } from '../../core/trust/visible.ts'

export interface WizardStreams {
  readonly input: Readable
  readonly output: Writable
}

/**
 * Asks a person what a context project should hold, and gives the words they could have typed. Undefined when they
 * say no in the end; Ctrl-C throws `stopped`.
 */
export async function askForContext(
  folder: string,
  rules: ContextRules,
  streams: WizardStreams,
): Promise<readonly string[] | undefined> {
  const databases = shortDatabases(rules)
  const ask = async <T>(answer: Promise<T>): Promise<Exclude<T, symbol>> => {
    const given = await answer
    if (isCancel(given)) throw new AppError('stopped', 'Nothing was made.')
    return given as Exclude<T, symbol>
  }
  intro('A context project: databases, repositories and documents as files', streams)
  const name = await ask(
    text({ ...streams, message: 'What is it called?', placeholder: visibleLine(folder), defaultValue: folder }),
  )
  const type = await ask(select({ ...streams, message: 'Which database?', options: optionsOf(databases) }))
  const chosen = databases.find((one) => one.type === type)
  const database = chosen === undefined ? [] : ['--database', `${type}:${await ask(whereIs(chosen, streams))}`]
  const repository = await ask(
    text({ ...streams, message: 'A repository to include? (address or folder, empty for none)', defaultValue: '' }),
  )
  const docs = await ask(
    text({ ...streams, message: 'A folder or llms.txt with documents? (empty for none)', defaultValue: '' }),
  )
  if (!(await ask(confirm({ ...streams, message: 'Make it?' })))) return undefined
  return [
    '--name',
    name,
    ...database,
    ...(repository ? ['--repository', repository] : []),
    ...(docs ? ['--docs', docs] : []),
  ]
}

const optionsOf = (databases: readonly WarehouseRules[]) => [
  ...databases.map(({ type, label, place }) => ({ value: type, label, ...(place === 'file' && { hint: 'a file' }) })),
  { value: '', label: 'None', hint: 'add one to ken.yaml later' },
]

function whereIs({ type, place }: WarehouseRules, streams: WizardStreams): Promise<string | symbol> {
  const isFile = place === 'file'
  return text({
    ...streams,
    message: isFile ? 'Where is the file?' : 'Which environment variable holds its address?',
    placeholder: isFile ? `shop.${type}` : 'DATABASE_URL',
    validate: (given) => (given ? undefined : 'Please say it.'),
  }).then((given) => (isCancel(given) || isFile ? given : `\${${String(given).replaceAll(/[^\w]/g, '')}}`))
}
