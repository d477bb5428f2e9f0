import { useAnswer } from '../../../api/queries.ts'
import { Button } from '../../../kit/button.tsx'
import styles from './add-source.module.css'

interface Props {
  readonly isBusy: boolean
  readonly onAdd: (what: string[], name: string | undefined) => void
}

/** Sources found in this folder. */
export const FoundSources = ({ isBusy, onAdd }: Props) => {
  const { data } = useAnswer('source_add', {})
  const found = data?.found ?? []
  if (found.length === 0) return null
  return (
    <section aria-labelledby="found-sources">
      <h3 id="found-sources">Found in this folder</h3>
      <ul className={styles.found}>
        {found.map(({ what, detail, words, name }) => (
          <li key={what} className={styles.offer}>
            <span>
              {what}
              {detail !== '' && <span className={styles.detail}>{detail}</span>}
            </span>
            {words !== undefined && (
              <Button size="small" busy={isBusy} aria-label={`Add ${what}`} onClick={() => onAdd([...words], name)}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
