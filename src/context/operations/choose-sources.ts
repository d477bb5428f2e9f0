import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Given } from '../../operations/context.ts'
import { addSources, type AddedSource } from './add-sources.ts'
import { offersIn } from './find-here.ts'

/** Shows a person the available sources one at a time, adds the chosen ones, and prompts for more. */
export async function chooseSources(
  ctx: Given<'context' | 'machine' | 'record'>,
  root: string,
): Promise<readonly AddedSource[]> {
  const added: AddedSource[] = []
  const add = async (words: readonly string[], name: string | undefined): Promise<void> => {
    added.push(...(await addSources(ctx, root, { given: [words], name, yes: false })))
  }
  for (const { shown, words, name } of await offersIn(ctx, root)) {
    if (words.length === 0) continue
    const told = [shown.what, ...(shown.detail === '' ? [] : [`  ${shown.detail}`])].join('\n')
    if (await ctx.confirm!(`${told}\n\nAdd it?`)) await add(words, name)
  }
  for (let said = ''; ;) {
    const more = (await ctx.ask!(`${said}Anything else? (a file, folder or address; empty when done)`)).trim()
    if (more === '') return added
    try {
      await add(more.split(/\s+(?=[A-Za-z]\w*=)/), undefined)
      said = ''
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'stopped') throw thrown
      said = `${error.line}\n`
    }
  }
}
