/** The parts of libheif that are used. The package has types of its WebAssembly alone. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifImage {
    get_width(): number
    get_height(): number
    is_primary(): boolean
    display(
      target: { data: Uint8ClampedArray; width: number; height: number },
      done: (shown: object | null) => void,
    ): void
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } }
  export default libheif
}
