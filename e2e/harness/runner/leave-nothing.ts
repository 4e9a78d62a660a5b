import { afterAll, vi } from 'vitest'

// The files of a worker share its globals, and its document: what a file leaves there would be found by the next one, in an
// order that depends on how long the files of the last run took. This hook is registered first, so it runs last.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  if (typeof document === 'undefined') return
  document.head.replaceChildren()
  document.body.replaceChildren()
  location.hash = ''
  localStorage.clear()
  sessionStorage.clear()
})
