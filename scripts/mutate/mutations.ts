import { parseSync, Visitor, type Span } from 'oxc-parser'

/** One small change that should make some test fail. */
export interface Mutation {
  readonly what: string
  readonly start: number
  readonly end: number
  readonly from: string
  /** The replacement. */
  readonly text: string
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
}

/** Every known mutation of a file, excluding types. */
export function mutationsOf(path: string, source: string): Mutation[] {
  const found: Mutation[] = []
  const types: Span[] = []
  const text = ({ start, end }: Span): string => source.slice(start, end)
  const add = (what: string, node: Span, instead: string): void =>
    void found.push({ what, start: node.start, end: node.end, from: text(node), text: instead })
  const flip = ({ left, right, operator, ...node }: { left: Span; right: Span; operator: string } & Span): void => {
    const opposite = OPPOSITES[operator]
    if (opposite !== undefined) add('flip', node, `(${text(left)} ${opposite} ${text(right)})`)
  }
  const isType = (node: Span): void => void types.push(node)
  new Visitor({
    TSTypeAnnotation: isType,
    TSTypeAliasDeclaration: isType,
    TSInterfaceDeclaration: isType,
    TSTypeParameterInstantiation: isType,
    TSAsExpression: ({ typeAnnotation }) => isType(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => isType(typeAnnotation),
    BinaryExpression: flip,
    LogicalExpression: flip,
    IfStatement: ({ test }) => add('drop the condition', test, 'false'),
    ConditionalExpression: ({ test }) => add('negate', test, `!(${text(test)})`),
    UnaryExpression: (node) => {
      if (node.operator === '!') add('negate', node, text(node.argument))
    },
    Literal: (node) => {
      // Skips -1 and 1 in comparators: sorting uses only the sign.
      const isSign = source.slice(0, node.start).endsWith('? -1 : ') || source[node.start - 1] === '-'
      if (typeof node.value === 'number' && !isSign) add('another constant', node, String(node.value + 1))
      if (typeof node.value === 'boolean') add('another constant', node, String(!node.value))
    },
    ExpressionStatement: ({ expression, ...node }) => {
      if (expression.type === 'CallExpression') add('remove the call', node, ';')
    },
  }).visit(parseSync(path, source).program)
  return found.filter(({ start, end }) => !types.some((type) => type.start <= start && end <= type.end))
}
