import { describe, expect, it } from 'vitest'
import { webAddress } from '#extension/messaging/web-address.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { decideNotification } from './decide-notification.ts'

describe('decideNotification', () => {
  it('notifies of a sold item once', () => {
    const task = sampleTask()
    const first = decideNotification({ alerts: [], tasks: [task] }, [])
    expect(first.notification).toEqual({ kind: 'one', task })
    expect(decideNotification({ alerts: [], tasks: [task] }, first.notified).notification).toBeNull()
  })

  it('combines several tasks into one notification', () => {
    const tasks = [sampleTask(), sampleTask(), sampleTask()]
    expect(decideNotification({ alerts: [], tasks }, [tasks[2]!.uid]).notification).toEqual({
      kind: 'many',
      tasks: tasks.slice(0, 2),
    })
  })

  it('ignores tasks that can wait', () => {
    expect(decideNotification({ alerts: [], tasks: [sampleTask({ kind: 'list' })] }, [])).toEqual({
      notification: null,
      notified: [],
    })
  })

  it('notifies of an alert first, and once', () => {
    const alert = sampleAlert()
    const first = decideNotification({ alerts: [alert], tasks: [sampleTask()] }, [])
    expect(first.notification).toEqual({ kind: 'alert', alert })
    expect(decideNotification({ alerts: [alert], tasks: [] }, first.notified).notification).toBeNull()
  })

  it('skips a task that an alert covers', () => {
    const task = sampleTask()
    const alert = sampleAlert({ task_uid: task.uid })
    expect(decideNotification({ alerts: [alert], tasks: [task] }, [alert.uid]).notification).toBeNull()
  })

  it.each(['update_refused', 'listing_refused'] as const)('leaves a %s to the screens', (kind) => {
    const alert = sampleAlert({ kind })
    expect(decideNotification({ alerts: [alert], tasks: [] }, []).notification).toBeNull()
  })

  it('forgets uids that are no longer open', () => {
    expect(decideNotification({ alerts: [], tasks: [] }, ['tsk_gone']).notified).toEqual([])
  })
})

describe('webAddress', () => {
  it.each(['javascript:alert(1)', 'http://www.depop.com/', 'data:text/html,x', '', 'nonsense', null])(
    'rejects %j',
    (url) => expect(webAddress(url)).toBeNull(),
  )

  it('accepts a platform’s URL', () => {
    expect(webAddress('https://www.depop.com/products/x/')).toBe('https://www.depop.com/products/x/')
  })
})
