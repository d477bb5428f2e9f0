import { expect, test } from 'vitest'
import { docxToMarkdown } from './docx-markdown.ts'

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const item = (text: string, list: number, level = 0): string =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const read = (body: string, more: Partial<Parameters<typeof docxToMarkdown>[0]> = {}): string =>
  docxToMarkdown({
    document: `<w:document><w:body>${body}</w:body></w:document>`,
    links: '',
    styles: '',
    numbering: '',
    ...more,
  })

test('converts headings, paragraphs and lists, with style names in any language', () => {
  const styles = '<w:styles><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>'
  const numbering =
    '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>' +
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
  const body = [
    p('Terms', '<w:pStyle w:val="Title"/>'),
    p('Churn', '<w:pStyle w:val="berschrift2"/>'),
    p('Customers who left &amp; stayed away.'),
    item('one', 1),
    item('deeper', 1, 1),
    item('first', 2),
    p(''),
    p('End.'),
  ]
  expect(read(body.join(''), { styles, numbering })).toBe(
    '# Terms\n\n## Churn\n\nCustomers who left & stayed away.\n\n- one\n  - deeper\n1. first\n\nEnd.\n',
  )
})

test('joins runs of the same format, keeps link targets, and omits deleted words and fields', () => {
  const bold = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const body = `<w:p>${bold('Net ')}${bold('revenue ')}<w:r><w:rPr><w:b w:val="0"/></w:rPr><w:t>is in </w:t></w:r>
    <w:hyperlink r:id="r1"><w:r><w:t>the sheet</w:t></w:r></w:hyperlink><w:hyperlink r:id="r2"><w:r><w:t> here</w:t></w:r></w:hyperlink>
    <w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>.</w:t></w:r></w:ins></w:p>`
  const links =
    '<Relationships><Relationship Id="r1" Target="https://a.example/x"/><Relationship Id="r2" Target="javascript:x"/></Relationships>'
  expect(read(body, { links })).toBe('**Net revenue** is in [the sheet](https://a.example/x)here.\n')
})

test('converts table rows, and reduces a nested table to its words', () => {
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
  const inner = `<w:tbl>${row(p('x'))}</w:tbl>`
  expect(read(`<w:tbl>${row(p('code'), p('means'))}${row(p('A'), p('a|b') + p('c') + inner)}</w:tbl>`)).toBe(
    String.raw`| code | means |
| --- | --- |
| A | a\|b c \| x \| \| --- \| |
`,
  )
})

test('does not expand entities, and deep nesting does not overflow the stack', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`
  expect(
    docxToMarkdown({ document: `${bomb}<w:body>${p('&b;')}</w:body>`, links: '', styles: '', numbering: '' }),
  ).toBe('&b;\n')
  const deep = `${'<w:sdt>'.repeat(100_000)}${p('deep')}${'</w:sdt>'.repeat(100_000)}`
  expect(() => read(deep)).not.toThrow()
})
