import type { TestBrowser } from './browser.ts'
import type { RequestGate } from './sites/request-gate.ts'

const kills = 3

/** Ends the worker three times during the reading that `begin` starts, each time after `every` more requests. */
export async function killInTheMiddle(
  chrome: TestBrowser,
  requests: RequestGate,
  every: number,
  begin: () => Promise<void>,
): Promise<void> {
  let reached = requests.holdAfter(every)
  await begin()
  for (let kill = 1; kill <= kills; kill++) {
    const resume = await reached()
    await chrome.killWorker()
    // Set the next stop before leaving this one.
    if (kill < kills) reached = requests.holdAfter(every)
    resume()
  }
}
