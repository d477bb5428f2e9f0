import type { View } from '../../kernel/domain/view/view.ts'
import type { AddedSource } from './add-sources.ts'
import { sizeOf } from './find-here.ts'
import { checkLine } from './test-source.ts'

/** Result for one source, and the person's next steps, if any. */
export function addedLines(one: AddedSource, view: View): string[] {
  const size = sizeOf(one.bytes)
  const head = one.already
    ? `${one.key} is in ken.yaml already.`
    : `Added ${one.key} to ken.yaml${size && ` (${size})`}.`
  return [
    head,
    ...(one.variables.length === 0
      ? []
      : [
          `  .env got ${one.variables.join(', ')}, for you alone; ken.yaml has the name of it.`,
          ...(one.typed ? ['  The history of your shell may still have what you typed.'] : []),
        ]),
    ...(one.unset.length === 0 ? [] : [`  Not set yet: ${one.unset.join(', ')}. Put it into .env or the environment.`]),
    ...(one.reaches.length === 0 ? [] : [`  It ${one.trusted ? 'may' : 'would'} ${one.reaches.join(', ')}.`]),
    ...(one.trusted ? [] : ['  It is not trusted yet: `ken trust` shows it and asks.']),
    ...(one.check === undefined
      ? [`  \`ken source test ${one.name}\` opens it.`]
      : [checkLine(one.check, view)].map((line) => `  ${line}`)),
    ...(one.check?.ok === false && !one.already
      ? [`  It stays in ken.yaml; \`ken source remove ${one.name}\` takes it out.`]
      : []),
  ]
}
