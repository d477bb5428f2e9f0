import { Dialog } from '../../kit/dialog.tsx'
import { Keys } from '../../kit/keys.tsx'
import { useListedKeys } from './use-keys.ts'
import styles from './key-list.module.css'

/** Every active keyboard shortcut. */
export const KeyList = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Keyboard shortcuts" width="wide">
    <div className={styles.groups}>
      {[...useListedKeys()].map(([group, bindings]) => (
        <section key={group} className={styles.group}>
          <h3 className={styles.name}>{group}</h3>
          <dl>
            {bindings.map(({ keys, does }) => (
              <div key={keys} className={styles.row}>
                <dt>{does}</dt>
                <dd>
                  <Keys of={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
