import { z } from 'zod'
import { closeMatch } from '../../kernel/domain/close-match.ts'
import { AppError, ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { AT_A_TERMINAL, defineOperation } from '../../operations/operation.ts'

export const docs = defineOperation({
  name: 'docs',
  title: 'Open the documentation',
  summary: 'Open the documentation in your browser; it needs no network.',
  details:
    'Every page has a search field (press /). Without a desktop the command prints the path of the page. An error code, such as not_found, leads to its section of troubleshooting.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: AT_A_TERMINAL,
  positional: ['page'],
  input: {
    page: z.string().min(1).max(200).optional().describe('A page, such as record or guides/record, or an error code.'),
    open: z.boolean().default(true).describe('Open it; otherwise print the path.'),
  },
  output: {
    path: z.string(),
    anchor: z.string().optional(),
    opened: z.boolean(),
    not_opened: z.string().optional().describe('Why it was not opened.'),
  },
  examples: [
    { title: 'The path of the front page', input: { open: false } },
    { title: 'The path of a guide', input: { page: 'record', open: false } },
  ],
  async run(ctx, { page, open }) {
    const site = await ctx.documentation()
    const { address, anchor } = place(page, site.pages)
    const path = `${site.folder}/${address}`
    const found = { path, ...(anchor !== undefined && { anchor }) }
    if (!open) return { ...found, opened: false }
    const { problem } = await ctx.openInBrowser(path)
    return { ...found, opened: problem === undefined, ...(problem !== undefined && { not_opened: problem }) }
  },
  render: ({ path, anchor, opened, not_opened }) => {
    const where = `${path}${anchor === undefined ? '' : `#${anchor}`}`
    if (opened) return `Opened ${where}`
    return not_opened === undefined ? where : `The browser was not opened: ${not_opened}. The page: ${where}`
  },
})

/** Finds a page by its name, the last part of its name, or an error code. */
function place(name: string | undefined, pages: readonly string[]): { address: string; anchor?: string } {
  if (name === undefined) return { address: 'index.html' }
  if (name in ERROR_TABLE) return { address: 'troubleshooting.html', anchor: name }
  const wanted = name.replace(/^docs\//, '').replace(/\.(?:md|html)$/, '')
  const nameOf = (address: string): string => address.replace(/(?:\/?index)?\.html$/, '')
  const last = (address: string): string => nameOf(address).slice(nameOf(address).lastIndexOf('/') + 1)
  const found = pages.find((one) => nameOf(one) === wanted) ?? pages.find((one) => last(one) === wanted)
  if (found !== undefined) return { address: found }
  const near = closeMatch(wanted, pages.map(last))
  throw new AppError('not_found', `No page named "${name}".`, {
    hint: near === undefined ? 'See `ken docs`.' : `Did you mean \`ken docs ${near}\`?`,
  })
}
