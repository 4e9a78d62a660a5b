import { useLayoutEffect, useRef, useState } from 'preact/hooks'

const noIds: readonly string[] = []

/**
 * Keeps one row of a list active. Moving to a row by keys, and deciding one, moves the focus with it. With `ids`, which
 * change with the list, the active row stays the same one where rows change their places.
 */
export function useActiveRow(count: number, ids: readonly string[] = noIds) {
  const [active, setActive] = useState(0)
  const box = useRef<HTMLLIElement>(null)
  const moveFocus = useRef(false)
  const shown = useRef({ ids, id: '' })
  const moved = shown.current.ids === ids ? -1 : ids.indexOf(shown.current.id)
  const at = moved === -1 ? Math.max(0, Math.min(active, count - 1)) : moved
  const hadFocus = box.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    shown.current = { ids, id: ids[at] ?? '' }
    if (moved !== -1) setActive(at)
    // A row that moved to another group is a new element.
    const lostFocus = moved !== -1 && hadFocus && document.activeElement === document.body
    if (!moveFocus.current && !lostFocus) return
    moveFocus.current = false
    box.current?.focus({ preventScroll: lostFocus })
  })
  const focusAfterRender = () => {
    moveFocus.current = true
  }
  return {
    at,
    box,
    setActive,
    focusAfterRender,
    go: (index: number) => {
      focusAfterRender()
      setActive(Math.max(0, Math.min(index, count - 1)))
    },
  }
}
