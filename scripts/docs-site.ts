// Builds the documentation as static pages: `npm run docs:site [folder]`, `dist/docs` by default. The pages load
// nothing from elsewhere and work from a disk; `ken docs` opens them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, rename, rm } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import MarkdownIt from 'markdown-it'
import { rolldown } from 'rolldown'
import type { DocsSection } from '../web/docs/section.ts'
import { sourceMark } from './source-mark.ts'

const ROOT = resolve(import.meta.dirname, '..')
const WEB = join(ROOT, 'web/docs')
const CACHE = join(ROOT, 'node_modules/.cache/ken/docs-site')
const INDEX = 'docs/README.md'
/** Pages outside of `docs` that the pages in it link to. */
const BESIDE = ['README.md', 'ARCHITECTURE.md', 'GLOSSARY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

interface Page {
  /** Path in the repository. */
  readonly path: string
  /** Address on the site. */
  readonly address: string
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly level: number; readonly id: string; readonly text: string }[]
  readonly sections: readonly DocsSection[]
  /** Pictures that the page shows, as paths in the repository. */
  readonly pictures: ReadonlySet<string>
}

/** Writes the site and returns the modules that its script contains. */
export async function buildDocsSite(folder: string): Promise<readonly string[]> {
  const pages = siteFiles().map((path) => renderPage(path))
  const menu = readMenu(pages)
  const { script, modules } = await bundleSearch()
  await rm(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sections = pages.flatMap((page) => page.sections)
  writeFileSync(join(folder, 'sections.js'), `window.kenDocs = { sections: ${JSON.stringify(sections)} }\n`)
  writeFileSync(join(folder, 'search.js'), script)
  await copyFile(join(WEB, 'style.css'), join(folder, 'style.css'))
  for (const page of pages) {
    const path = join(folder, page.address)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, wholePage(page, menu))
  }
  for (const picture of new Set(pages.flatMap((page) => [...page.pictures]))) {
    const path = join(folder, addressOf(picture))
    mkdirSync(dirname(path), { recursive: true })
    await copyFile(join(ROOT, picture), path)
  }
  return modules
}

/** The site built from the current pages; rebuilt if they changed. */
export async function builtDocsSite(): Promise<string> {
  const mark = sourceMark(['docs', 'web/docs', 'scripts/docs-site.ts', ...BESIDE])
  const folder = join(CACHE, mark)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  await buildDocsSite(fresh)
  await rename(fresh, folder).catch(async (error: unknown) => {
    // Another process was faster.
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  })
  const older = readdirSync(CACHE).filter((name) => !name.includes('.') && name !== mark)
  await Promise.all(older.map((name) => rm(join(CACHE, name), { recursive: true, force: true })))
  return folder
}

/** Every page of the site, as a path in the repository. */
export const siteFiles = (): string[] => [
  ...BESIDE,
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name.replaceAll('\\', '/')))
    .sort(),
]

/** `docs/README.md` is the front page; pages outside of `docs` are below `about/`. */
function addressOf(path: string): string {
  if (path === INDEX) return 'index.html'
  const place = path.startsWith('docs/') ? path.slice('docs/'.length) : `about/${path}`
  return place.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

function renderPage(path: string): Page {
  const markdown = new MarkdownIt({ html: true })
  const address = addressOf(path)
  const pictures = new Set<string>()
  const tokens = markdown.parse(readFileSync(join(ROOT, path), 'utf8'), {})
  const anchors = anchorNamer()
  const headings: Page['headings'][number][] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[at + 1]!)
      const id = anchors(text)
      token.attrSet('id', id)
      headings.push({ level: Number(token.tag[1]), id, text })
    }
    let isLost = false
    for (const child of token.children ?? []) {
      if (child.type === 'link_close' && isLost) child.hidden = true
      const name = child.type === 'link_open' ? 'href' : child.type === 'image' ? 'src' : undefined
      if (name === undefined) continue
      const moved = siteLink(path, String(child.attrGet(name)))
      if (moved?.picture !== undefined) pictures.add(moved.picture)
      if (name === 'href') isLost = moved === undefined
      if (moved === undefined) child.hidden = true
      else child.attrSet(name, moved.link)
    }
  }
  const title = headings[0]?.text ?? path
  markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n'
  markdown.renderer.rules['table_close'] = () => '</table></div>\n'
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { path, address, title, html, headings, pictures, sections: sectionsOf(tokens, headings, { address, title }) }
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

const plainText = (inline: Token): string =>
  (inline.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')

/** Heading anchors as GitHub generates them. */
export function anchorNamer(): (heading: string) => string {
  const taken = new Set<string>()
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let nth = 1; taken.has(anchor); nth++) anchor = `${slug}-${nth}`
    taken.add(anchor)
    return anchor
  }
}

/** Converts a link of a Markdown page for the site; undefined if the site does not have the file. */
function siteLink(from: string, target: string): { readonly link: string; readonly picture?: string } | undefined {
  if (/^(?:[a-z]+:|#|\/\/)/i.test(target)) return { link: target }
  const [file = '', anchor] = target.split('#')
  const path = posix.normalize(posix.join(posix.dirname(from), decodeURI(file)))
  const here = posix.dirname(addressOf(from))
  const tail = anchor === undefined ? '' : `#${anchor}`
  const wanted = existsSync(join(ROOT, path, 'README.md')) ? posix.join(path, 'README.md') : path
  const isPicture = /\.(?:svg|webp|png)$/.test(path)
  if (isPicture || siteFiles().includes(wanted))
    return { link: posix.relative(here, addressOf(wanted)) + tail, ...(isPicture && { picture: path }) }
  return undefined
}

function sectionsOf(
  tokens: readonly Token[],
  headings: Page['headings'],
  { address, title }: Pick<Page, 'address' | 'title'>,
): DocsSection[] {
  const sections: DocsSection[] = []
  const texts: string[] = []
  let nth = -1
  const close = (): void => {
    const heading = headings[nth]
    if (heading === undefined) return
    const place = nth === 0 ? address : `${address}#${heading.id}`
    sections.push({ address: place, page: title, title: heading.text, text: texts.splice(0).join(' ') })
  }
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      close()
      nth += 1
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') texts.push(plainText(token))
    else if (token.type === 'fence') texts.push(token.content)
  }
  close()
  return sections
}

interface Menu {
  readonly groups: readonly { readonly title: string; readonly items: readonly MenuItem[] }[]
  readonly order: readonly Page[]
}

type MenuItem = { readonly label: string } | { readonly page: Page; readonly label: string }

/** Navigation in the order of the front page: a group for each heading, an item for each link in its lists. */
function readMenu(pages: readonly Page[]): Menu {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const groups: { title: string; items: MenuItem[] }[] = []
  for (const line of readFileSync(join(ROOT, INDEX), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line)
    if (heading !== null) groups.push({ title: heading[1]!, items: [] })
    const label = /^- ([^[:]+):/.exec(line)
    if (label !== null) groups.at(-1)?.items.push({ label: label[1]! })
    if (line.startsWith('- '))
      for (const [, text, target] of line.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)) {
        const page = byPath.get(posix.normalize(posix.join('docs', target!)))
        if (page !== undefined) groups.at(-1)?.items.push({ page, label: capital(text!) })
      }
  }
  const linked = groups.flatMap(({ items }) => items.flatMap((item) => ('page' in item ? [item.page] : [])))
  return { groups, order: [byPath.get(INDEX)!, ...new Set(linked)] }
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function wholePage(page: Page, { groups, order }: Menu): string {
  const here = posix.dirname(page.address)
  const to = (address: string): string => posix.relative(here, address)
  const root = to('index.html').replace(/index\.html$/, '')
  const at = order.indexOf(page)
  const turns = at < 0 ? [] : [[order[at - 1], '← '] as const, [order[at + 1], '→ '] as const]
  const item = (one: MenuItem): string =>
    'page' in one
      ? `<li><a href="${to(one.page.address)}"${one.page === page ? ' aria-current="page"' : ''}>${escaped(one.label)}</a></li>`
      : `</ul><h3>${escaped(one.label)}</h3><ul>`
  const inner = page.headings.filter(({ level }) => level === 2)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Ken</title>
<link rel="stylesheet" href="${root}style.css">
</head>
<body>
<header>
<a href="${to('index.html')}">Ken documentation</a>
<form role="search" onsubmit="return false"><input id="search" type="search" placeholder="Search (press /)" aria-label="Search" autocomplete="off"><div id="hits" hidden></div></form>
</header>
<div class="columns">
<nav class="all" aria-label="Pages">
${groups.map(({ title, items }) => `<h2>${escaped(title)}</h2><ul>${items.map(item).join('')}</ul>`.replace('<ul></ul>', '')).join('\n')}
</nav>
<main>
${page.html}
<div class="turn">${turns.map(([other, sign]) => (other === undefined ? '<span></span>' : `<a href="${to(other.address)}">${sign}${escaped(other.title)}</a>`)).join('')}</div>
</main>
<nav class="here" aria-label="On this page">${inner.length === 0 ? '' : `<h2>On this page</h2><ul>${inner.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`).join('')}</ul>`}</nav>
</div>
<script src="${root}sections.js"></script>
<script>kenDocs.root = ${JSON.stringify(root)}</script>
<script src="${root}search.js"></script>
</body>
</html>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

async function bundleSearch(): Promise<{ script: string; modules: readonly string[] }> {
  const bundle = await rolldown({ input: join(WEB, 'search.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', strict: true, minify: true })
  await bundle.close()
  return { script: output[0].code, modules: output[0].moduleIds }
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/docs'))
  await buildDocsSite(folder)
  console.log(`Wrote ${join(folder, 'index.html')}.`)
}
