import { Icon } from '../../../kit/icon.tsx'
import type { ColumnFacts } from './facts.ts'
import { TopValues } from './top-values.tsx'
import styles from './columns-table.module.css'

/** One column. Descriptions from the database are shown as plain text. */
export const ColumnRow = ({ column }: { column: ColumnFacts }) => {
  const { profile } = column
  return (
    <tr>
      <th scope="row" className={styles.name}>
        {column.name}
        {column.key !== '' && (
          <span className={styles.key}>
            <Icon name={column.key.startsWith('→') ? 'link' : 'key'} size={12} />
            {column.key.replace(/^→ /, '')}
          </span>
        )}
        {column.personal !== undefined && <span className={styles.personal}>personal: {column.personal}</span>}
      </th>
      <td className={styles.type}>{column.type}</td>
      <td>
        <Nulls column={column} />
      </td>
      <td className={styles.number}>{profile?.distinct?.toLocaleString('en-US') ?? ''}</td>
      <td className={styles.values}>
        {profile !== undefined && profile.top.length > 0 ? (
          <TopValues top={profile.top} />
        ) : (
          <span className={styles.range}>{rangeOf(column)}</span>
        )}
      </td>
      <td className={styles.about}>{column.about}</td>
    </tr>
  )
}

const Nulls = ({ column: { nulls, profile } }: { column: ColumnFacts }) => {
  const percent = profile?.null_percent
  if (percent === undefined || percent === 0)
    return (
      <span className={styles.soft}>
        {percent === 0 ? 'none' : nulls === 'no' ? 'never' : nulls === '' ? '–' : nulls}
      </span>
    )
  return (
    <span className={styles.nulls} title={`${profile?.nulls?.toLocaleString('en-US')} rows`}>
      {percent} %
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ inlineSize: `${Math.min(100, percent)}%` }} />
      </span>
    </span>
  )
}

/** From the smallest to the largest value, or the values listed in the file. */
function rangeOf({ profile, values }: ColumnFacts): string {
  if (profile !== undefined && profile.min !== '' && profile.max !== '')
    return profile.min === profile.max ? profile.min : `${profile.min} … ${profile.max}`
  return values.replaceAll('`', '')
}
