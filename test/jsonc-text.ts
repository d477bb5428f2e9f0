import * as fc from 'fast-check'

/** Objects printed with random white space, comments, line endings and trailing commas, as no formatter would. */
export function jsoncText(): fc.Arbitrary<string> {
  const eol = fc.constantFrom('\n', '\r\n')
  return eol.chain((end) => {
    const space = fc.constantFrom(
      '',
      ' ',
      '\t',
      end,
      `${end}  `,
      `${end}\t\t`,
      ' /* c */ ',
      ` // remark, with ] and }${end}`,
      `/* two${end} lines */`,
      `${end}${end}    `,
    )
    const key = fc.constantFrom('mcpServers', 'hooks', 'SessionStart', 'list', 'a', 'b', 'mcp', 'é"\\', 'kenn')
    const scalar = fc.constantFrom('1', '-2.5e3', 'true', 'null', '"x, y"', '"// no comment"', '"\\"}"', '""')
    const { object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
      value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, tie('object'), tie('array')),
      object: fc
        .tuple(fc.array(fc.tuple(space, key, space, space, tie('value'), space), { maxLength: 3 }), space, fc.boolean())
        .map(
          ([members, inner, trailing]) =>
            `{${members.map(([a, k, b, c, v, d]) => `${a}${JSON.stringify(k)}${b}:${c}${v}${d}`).join(',')}${members.length > 0 && trailing ? ',' : ''}${inner}}`,
        ),
      array: fc
        .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 3 }), space, fc.boolean())
        .map(
          ([items, inner, trailing]) =>
            `[${items.map((item) => item.join('')).join(',')}${items.length > 0 && trailing ? ',' : ''}${inner}]`,
        ),
    }))
    return fc.tuple(fc.constantFrom('', '\uFEFF'), space, object, space).map((parts) => parts.join(''))
  })
}
