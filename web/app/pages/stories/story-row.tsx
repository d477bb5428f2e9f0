import { Icon } from '../../kit/icon.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import type { ListedStory } from './story-list.tsx'
import css from './stories.module.css'

/** One story in the list: its title, its age and its schedule. */
export const StoryRow = ({
  story: { title, updated_at, last_refresh, schedule, owner },
}: {
  readonly story: ListedStory
}) => (
  <div className={css.row}>
    <span className={css.rowTitle}>{title}</span>
    <span className={css.rowFacts}>
      {last_refresh?.ok === false ? (
        <span className={css.failed}>
          <Icon name="warn" size={12} /> refresh failed
        </span>
      ) : (
        <span>
          {last_refresh === undefined ? 'written ' : 'data from '}
          <TimeAgo at={last_refresh?.at ?? updated_at} />
        </span>
      )}
      {owner !== undefined && <span>shared by {owner.name}</span>}
      {schedule !== undefined && (
        <span className={css.rowSchedule}>
          <Icon name="clock" size={12} /> {schedule.says}
        </span>
      )}
    </span>
  </div>
)
