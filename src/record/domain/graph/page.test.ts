import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bundleGraphViewer } from '../../../../scripts/graph-viewer.ts'
import { graphSource, manyDecisions, type Given } from '../../../../test/sample-record.ts'
import { buildGraph } from './graph.ts'
import { graphPage, isOwnGraph, jsonInHtml } from './page.ts'

const viewer = await bundleGraphViewer()
const pageOf = (decisions: readonly Given[]): string =>
  graphPage(buildGraph(graphSource(decisions), { bodies: true }), viewer)

/** Text between two marks. */
function element(page: string, open: string, close: string): string {
  const from = page.indexOf(open) + open.length
  return page.slice(from, page.indexOf(close, from))
}

const DATA = '<script type="application/json" id="graph-data">'

test('the page has one script, one style and one block of data, regardless of the titles', () => {
  const hostile = [
    '</script><script>alert(1)</script>',
    '<!-- <script>',
    ']]>',
    '"><img src=x onerror=alert(1)>',
    'a\u2028b\u2029c',
    '</style><style>*{display:none}',
    '&lt;b&gt;',
    '<\\/script>',
  ]
  const page = pageOf(
    hostile.map((title, i) => ({
      num: i + 1,
      title,
      rationale: title,
      rejected: [{ name: title, reason: title }],
      files_affected: [title],
    })),
  )
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page.match(/<\/script/g)).toHaveLength(2)
  expect(page.match(/<style/g)).toHaveLength(1)
  expect(page).not.toContain('<img')
  const graph = JSON.parse(element(page, DATA, '</script>')) as { decisions: { title: string }[] }
  expect(graph.decisions.map((d) => d.title)).toEqual(hostile)
})

test('a hostile project name stays text', () => {
  const graph = {
    ...buildGraph(graphSource([]), { bodies: true }),
    project: { id: 'x', name: '</title><script>alert(1)</script>' },
  }
  expect(graphPage(graph, viewer).match(/<script/g)).toHaveLength(2)
})

test('any value survives embedding in HTML', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = jsonInHtml(value)
      expect(text).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('the policy allows exactly the page’s script and style, and no request', () => {
  const page = pageOf(manyDecisions(5))
  const policy = element(page, 'http-equiv="Content-Security-Policy" content="', '"')
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`script-src ${hash(element(page, '<script>', '</script>'))}`)
  expect(policy).toContain(`style-src ${hash(element(page, '<style>', '</style>'))}`)
  expect(policy).not.toContain('unsafe')
  expect(page).not.toMatch(/https?:\/\//)
  expect(page).not.toMatch(/\s(?:on\w+|style|src|href)="/)
})

test('the script is plain JavaScript, without types or module loading', () => {
  const script = element(pageOf([]), '<script>', '</script>')
  expect(() => new Script(script)).not.toThrow()
  expect(script).not.toMatch(/__vi|import\.meta|\bas const\b|\brequire\(/)
})

test('the page of an unchanged record does not change', () => {
  expect(pageOf(manyDecisions(30))).toBe(pageOf(manyDecisions(30)))
})

test('recognises a page or JSON written by Ken, and no other files', () => {
  expect(isOwnGraph(pageOf([]))).toBe(true)
  expect(isOwnGraph(JSON.stringify(buildGraph(graphSource([]), { bodies: true }), null, 2))).toBe(true)
  for (const text of [
    '',
    '<!doctype html><title>My page</title>',
    '{}',
    'notes on <meta name="generator" content="ken graph">',
  ])
    expect(isOwnGraph(text)).toBe(false)
})
