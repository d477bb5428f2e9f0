import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import type { Calls } from '../../api/call.ts'
import styles from './usage-table.module.css'

type Sum = Calls['project_usage']['output']['you']

interface Props {
  readonly label: string
  /** Heading of the first column. */
  readonly first: string
  readonly rows: readonly (Sum & { readonly name: string })[]
}

export const UsageTable = ({ label, first, rows }: Props) => (
  <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Questions</th>
          <th scope="col">Tokens in</th>
          <th scope="col">Tokens out</th>
          <th scope="col">Cost</th>
          <th scope="col">Failed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, questions, input, output, cost, without_price, failed }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{questions.toLocaleString('en')}</td>
            <td>{input.toLocaleString('en')}</td>
            <td>{output.toLocaleString('en')}</td>
            <td>
              {inDollars(cost)}
              {without_price > 0 && ' and more'}
            </td>
            <td>{failed.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
