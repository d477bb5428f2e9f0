import { Button } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useSetSearch } from './use-set-search.ts'
import { dayWords } from './words.ts'
import styles from './as-of-banner.module.css'

/** Shows that the page is a snapshot of the past, with a link back. */
export const AsOfBanner = ({ asOf }: { asOf: string }) => {
  const set = useSetSearch()
  return (
    <div className={styles.banner} role="status">
      <Icon name="clock" />
      <span className={styles.words}>
        As it was on <strong>{dayWords(asOf)}</strong>. It can only be read.
      </span>
      <Button size="small" onClick={() => set({ asOf: undefined })}>
        Back to now
      </Button>
    </div>
  )
}
