// biome-ignore-all lint/a11y/useFocusableInteractive: the grid itself has the focus (aria-activedescendant)
// biome-ignore-all lint/a11y/useSemanticElements: rows that lie outside of the window do not exist, which a table cannot say
import { Component, type ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Row height in pixels where the style sheet names none, and the gap between columns, which must match it. */
const usualRowHeight = 72
const columnGap = 16
/** Extra rows rendered above and below the viewport. */
const spare = 8

export interface Column<Row> {
  key: string
  /** In pixels. A column that grows has at least that. */
  width: number
  grows?: boolean
  head: ComponentChildren
  sorted?: 'ascending' | 'descending' | 'none'
  cell: (row: Row) => ComponentChildren
  /** Starts to edit the row's cell of this column. */
  onEdit?: (row: Row) => void
}

/**
 * A virtual table that renders only visible rows. It is one tab stop: arrow keys, Page, Home and End move, with Shift
 * they select as they go, Space selects, Enter opens, E or F2 edits. `rowAt` returns null for rows that are not loaded; `onShow` reports which ones are wanted.
 */
export function Grid<Row>(props: {
  kind: string
  label: string
  count: number
  columns: Column<Row>[]
  rowAt: (index: number) => Row | null
  onOpen: (row: Row) => void
  selection?: {
    has: (row: Row) => boolean
    toggle: (index: number, range: boolean) => void
    /** Selects the rows from one to another, both included. */
    extend: (from: number, to: number) => void
  }
  onShow?: (first: number, last: number) => void
  /** Identifies the rows and their order. A new value scrolls to the top. */
  order?: string
}) {
  const { count, columns, selection } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const [view, setView] = useState({ top: 0, height: 800 })
  const [rowHeight, setRowHeight] = useState(usualRowHeight)
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(count - 1, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const at = Math.max(0, Math.min(active, count - 1))

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      setRowHeight(Number.parseInt(getComputedStyle(element).getPropertyValue('--row'), 10) || usualRowHeight)
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    // The scroll event updates the state.
    if (box.current) box.current.scrollTop = 0
    setActive(0)
  }, [props.order])
  useLayoutEffect(() => props.onShow?.(first, last), [first, last, count])

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(index, count - 1))
    setActive(next)
    const element = box.current
    if (!element) return
    // The sticky head covers rows, with its border.
    const head = element.firstElementChild?.getBoundingClientRect().height ?? 0
    const room = element.clientHeight - head - rowHeight
    if (next * rowHeight < element.scrollTop) element.scrollTop = next * rowHeight
    else if (next * rowHeight > element.scrollTop + room) element.scrollTop = next * rowHeight - room
  }
  const keys = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }
    const next = to[event.key]
    const row = props.rowAt(at)
    if (next !== undefined) {
      if (event.shiftKey) selection?.extend(at, Math.max(0, Math.min(next, count - 1)))
      goTo(next)
    } else if ((event.key === 'e' || event.key === 'F2') && row && !event.ctrlKey && !event.metaKey) {
      const editable = columns.find(({ onEdit }) => onEdit)
      if (!editable) return
      editable.onEdit!(row)
    } else if (event.key === ' ' && row) selection?.toggle(at, event.shiftKey)
    else if (event.key === 'Enter' && row) props.onOpen(row)
    else return
    event.preventDefault()
  }

  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n)
  return (
    <div
      class={`grid ${props.kind}`}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-multiselectable={selection ? true : undefined}
      aria-activedescendant={count > 0 && at >= first && at <= last ? `${id}-${at}` : undefined}
      tabIndex={0}
      ref={box}
      style={{ '--columns': templateOf(columns), '--least': `${leastWidth(columns)}px` }}
      onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      onKeyDown={keys}
    >
      <div role="rowgroup" class="headings">
        <div role="row" class="line" aria-rowindex={1}>
          {columns.map((column) => (
            <div key={column.key} role="columnheader" aria-sort={column.sorted} class={column.key}>
              {column.head}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="lines" style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => {
          const row = props.rowAt(index)
          return (
            <Line
              key={index}
              id={`${id}-${index}`}
              index={index}
              row={row}
              columns={columns}
              active={index === at}
              selected={row && selection ? selection.has(row) : undefined}
              height={rowHeight}
              onPress={setActive}
            />
          )
        })}
      </div>
    </div>
  )
}

const templateOf = (columns: Column<never>[]) =>
  columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ')

const leastWidth = (columns: Column<never>[]) =>
  columns.reduce((sum, { width }) => sum + width, (columns.length - 1) * columnGap)

interface LineProps<Row> {
  id: string
  index: number
  row: Row | null
  columns: Column<Row>[]
  active: boolean
  selected: boolean | undefined
  height: number
  onPress: (index: number) => void
}

/** A row that re-renders only when it changes, so scrolling stays cheap. */
class Line<Row> extends Component<LineProps<Row>> {
  override shouldComponentUpdate(next: LineProps<Row>): boolean {
    const names = ['row', 'columns', 'active', 'selected', 'height'] as const
    return names.some((name) => this.props[name] !== next[name])
  }

  override render() {
    const { id, index, row, columns, active, selected, height, onPress } = this.props
    return (
      <div
        id={id}
        role="row"
        class={active ? 'line active' : 'line'}
        aria-rowindex={index + 2}
        aria-selected={selected}
        style={{ transform: `translateY(${index * height}px)` }}
        onMouseDown={() => onPress(index)}
        onFocusCapture={() => onPress(index)}
      >
        {columns.map((column) => (
          <div
            key={column.key}
            role="gridcell"
            class={column.onEdit ? `${column.key} editable` : column.key}
            onDblClick={() => row && column.onEdit?.(row)}
          >
            {row ? column.cell(row) : null}
          </div>
        ))}
      </div>
    )
  }
}
