import { describe, expect, it } from 'vitest'
import { webAddress } from '#extension/messaging/web-address.ts'
import { sampleAlert } from '#extension/testing/sample-alert.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { decideNotification } from './decide-notification.ts'

describe('what a notification says', () => {
  it('is the new sold-elsewhere task, and each is told once only', () => {
    const task = sampleTask()
    const first = decideNotification({ alerts: [], tasks: [task] }, [])
    expect(first.notification).toEqual({ kind: 'one', task })
    expect(decideNotification({ alerts: [], tasks: [task] }, first.notified).notification).toBeNull()
  })

  it('is one sentence for many', () => {
    const tasks = [sampleTask(), sampleTask(), sampleTask()]
    expect(decideNotification({ alerts: [], tasks }, [tasks[2]!.uid]).notification).toEqual({
      kind: 'many',
      tasks: tasks.slice(0, 2),
    })
  })

  it('is nothing for tasks that can wait', () => {
    expect(decideNotification({ alerts: [], tasks: [sampleTask({ kind: 'list' })] }, [])).toEqual({
      notification: null,
      notified: [],
    })
  })

  it('is an alert before any task, told once only', () => {
    const alert = sampleAlert()
    const first = decideNotification({ alerts: [alert], tasks: [sampleTask()] }, [])
    expect(first.notification).toEqual({ kind: 'alert', alert })
    expect(decideNotification({ alerts: [alert], tasks: [] }, first.notified).notification).toBeNull()
  })

  it('does not repeat a task that an alert speaks of', () => {
    const task = sampleTask()
    const alert = sampleAlert({ task_uid: task.uid })
    expect(decideNotification({ alerts: [alert], tasks: [task] }, [alert.uid]).notification).toBeNull()
  })

  it('forgets what is no longer open, so that what is remembered does not grow', () => {
    expect(decideNotification({ alerts: [], tasks: [] }, ['tsk_gone']).notified).toEqual([])
  })
})

describe('an address from the server', () => {
  it.each(['javascript:alert(1)', 'http://www.depop.com/', 'data:text/html,x', '', 'nonsense', null])(
    '%j leads nowhere',
    (url) => expect(webAddress(url)).toBeNull(),
  )

  it('of a platform is kept', () => {
    expect(webAddress('https://www.depop.com/products/x/')).toBe('https://www.depop.com/products/x/')
  })
})
