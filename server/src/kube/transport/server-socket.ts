// A WebSocket to the API server, with the few members that krtscope uses. The library's own type is not published.

interface ServerSocketEvents {
  message: {data: unknown};
  close: unknown;
  error: {message: string};
}

export interface ServerSocket {
  binaryType: 'arraybuffer' | 'blob';
  send(data: Uint8Array): void;
  close(): void;
  addEventListener<N extends keyof ServerSocketEvents>(
    name: N,
    listener: (event: ServerSocketEvents[N]) => void,
  ): void;
}
