import { HALVES, type Figure } from '../suite.ts'
import type { Compiled } from './compiled.ts'
import { JOINS } from './facts.ts'
import { judgeJoins, nameOfJoin } from './judge-joins.ts'
import { findLeaks } from './leaks.ts'
import { KINDS, WATCHED } from './people.ts'
import { isKeptBack } from './random.ts'
import { canDeclare } from './statements.ts'

const SET = 'company of 160 tables'

/** Figures of `ken sync` on the company in PostgreSQL: undeclared joins, and personal values in its files. */
export function compiledFigures({ joins, files }: Compiled): Figure[] {
  const judged = judgeJoins(joins)
  const planted = JOINS.filter(
    ({ declared, from, to, when }) => !(declared && canDeclare('postgres', from, to)) && when === undefined,
  )
  const inferred = joins.filter(({ declared }) => !declared)
  const leaked = new Set(findLeaks(files).map(({ value }) => value))
  return [
    ...HALVES.flatMap((half): Figure[] => {
      const isOwn = (id: string): boolean => isKeptBack(id) === (half === 'kept back')
      const [own, told] = [planted.filter(({ id }) => isOwn(id)), inferred.filter((join) => isOwn(nameOfJoin(join)))]
      const found = own.filter((join) => judged.found.has(join)).length
      const right = told.filter((join) => !judged.wrong.includes(join)).length
      return [
        { set: SET, half, measure: 'undeclared joins found', value: found, of: own.length, better: 'higher' },
        { set: SET, half, measure: 'told joins that are right', value: right, of: told.length, better: 'higher' },
      ]
    }),
    {
      set: SET,
      half: 'all',
      measure: 'personal values in its files',
      value: leaked.size,
      of: WATCHED.length * KINDS.length,
      better: 'lower',
    },
  ]
}
