import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

export interface PictureHost {
  url: string
  /** Answers by path; any other path answers 404. */
  pictures: Map<string, Buffer | 'slow' | 'endless' | number>
  /** Paths in the order of their requests. */
  requests: string[]
  close(): void
}

/** Starts a picture host on this machine, as marketplaces have them. */
export async function startPictureHost(): Promise<PictureHost> {
  const host: Omit<PictureHost, 'url' | 'close'> = { pictures: new Map(), requests: [] }
  const server = createServer((request, response) => {
    host.requests.push(request.url!)
    const answer = host.pictures.get(request.url!) ?? 404
    if (answer === 'slow') return
    if (typeof answer === 'number') return void response.writeHead(answer).end('no picture')
    response.setHeader('content-type', 'image/jpeg')
    if (answer !== 'endless') return void response.end(answer)
    const send = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 0xff))) {}
    }
    response.on('drain', send).on('error', () => {})
    send()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...host,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Returns a JPEG of one color with the place where it was taken. */
export const photoOf = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: color } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
    .toBuffer()
