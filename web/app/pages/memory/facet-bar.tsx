import { useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { FacetMenu, type FacetValue } from './facet-menu.tsx'
import { chosenOf, facetsOf } from './facets.ts'
import { askedFor, isNarrowed, unnarrowed, type MemorySearch } from './memory-address.ts'
import styles from './facets.module.css'

interface Props {
  readonly search: MemorySearch
  readonly onChange: (search: MemorySearch) => void
}

/** Facets of a search, with counts that arrive slightly later and never delay the hits. */
export const FacetBar = ({ search, onChange }: Props) => {
  const { data } = useAnswer('memory_facets', askedFor(search), { keep: true })
  return (
    <div className={styles.bar} role="group" aria-label="Filters">
      {facetsOf(data, search).map((facet) => (
        <FacetMenu
          key={facet.name}
          label={facet.label}
          values={facet.values satisfies readonly FacetValue[]}
          chosen={chosenOf(search, facet.name)}
          single={facet.single}
          onChange={(chosen) => onChange(facet.apply(chosen))}
        />
      ))}
      {isNarrowed(search) && (
        <Button size="small" look="quiet" icon="close" onClick={() => onChange(unnarrowed(search))}>
          Clear
        </Button>
      )}
    </div>
  )
}
