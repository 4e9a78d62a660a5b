import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Keeps one row of a list active. Moving to a row by keys, and deciding one, moves the focus with it. */
export function useActiveRow(count: number) {
  const [active, setActive] = useState(0)
  const box = useRef<HTMLLIElement>(null)
  const moveFocus = useRef(false)
  useLayoutEffect(() => {
    if (!moveFocus.current) return
    moveFocus.current = false
    box.current?.focus()
  })
  const focusAfterRender = () => {
    moveFocus.current = true
  }
  return {
    at: Math.max(0, Math.min(active, count - 1)),
    /** The element of the active row. */
    box,
    setActive,
    focusAfterRender,
    go: (index: number) => {
      focusAfterRender()
      setActive(Math.max(0, Math.min(index, count - 1)))
    },
  }
}
