import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { Icon } from '../../kit/icon.tsx'
import { ProgressBar } from '../../kit/progress-bar.tsx'
import { TimeAgo } from '../../kit/time-ago.tsx'
import type { ShownStory } from './story-page.tsx'
import { oldestOf } from './story-times.ts'
import type { StoryRefreshing } from './use-story-refresh.ts'
import css from './story.module.css'

/** Age of the data, how it is refreshed, and the reason if it cannot be. */
export function StoryFreshness({ story, refresh }: { readonly story: ShownStory; readonly refresh: StoryRefreshing }) {
  const { data, schedule, last_refresh, by, saved_at, version } = story
  const oldest = oldestOf(data)
  const { progress } = refresh
  return (
    <div className={css.freshness}>
      <p className={css.facts}>
        {oldest !== undefined && (
          <span>
            Data from <TimeAgo at={oldest} />
          </span>
        )}
        {schedule !== undefined && (
          <span>
            <Icon name="clock" size={12} /> {schedule.says}
            {schedule.next !== undefined && (
              <>
                , next <TimeAgo at={schedule.next} />
              </>
            )}
          </span>
        )}
        <span>
          version {version}, {by === 'person' ? 'by a person' : 'by the analyst'}, <TimeAgo at={saved_at} />
        </span>
      </p>
      {refresh.isRunning && (
        <div className={css.progress}>
          <ProgressBar
            label={progress?.message ?? 'Refreshing'}
            value={progress === undefined || progress.total === 0 ? undefined : progress.done}
            of={progress?.total || 1}
          />
          <Button size="small" icon="stop" onClick={refresh.stop}>
            Stop
          </Button>
        </div>
      )}
      {refresh.fault !== undefined && <FaultNote fault={refresh.fault} again={refresh.start} />}
      {last_refresh?.ok === false && !refresh.isRunning && (
        <div className={css.stale} role="note">
          <Icon name="warn" />
          <p>
            The refresh of <TimeAgo at={last_refresh.at} /> failed; showing the last good data. {last_refresh.problem}
          </p>
        </div>
      )}
    </div>
  )
}
