import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a network does to those who use it. */
export interface NetworkFaults {
  /** Of all connections together, towards the browser. */
  kilobitsPerSecond: number;
  /** Before the first byte of an answer, in milliseconds. */
  delay: number;
  /** Every so many connections one is cut, in turn before and after the server has acted. */
  cutEvery: number;
}

/** How a connection ends: with its answer, or cut before or after the server has acted. */
type Fate = 'passes' | 'never arrives' | 'answer is lost';

/**
 * A slow network that loses connections, between the browser and the program. Each request has a
 * connection of its own, so that a browser does not repeat by itself what it sent over an older one.
 */
export class SlowNetwork {
  /** What was cut, in order: `POST /api/order/create: answer is lost`. */
  readonly cuts: string[] = [];
  /** The call whose first answer is lost for certain, as `POST /api/order/create`. */
  losesAnswerOf = '';
  private connections = 0;
  /** When the line is free again, in milliseconds since 1970. */
  private freeAt = 0;
  private readonly server: Server;

  private constructor(
    private readonly target: number,
    private readonly faults: NetworkFaults,
  ) {
    this.server = createServer((incoming, outgoing) => {
      // Of a browser that has gone nothing more is heard; the program has its own log.
      this.pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  /** Puts a network before the program that listens on a port of this machine. */
  static async start(target: number, faults: NetworkFaults): Promise<SlowNetwork> {
    const network = new SlowNetwork(target, faults);
    await new Promise<void>((resolve) => network.server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  /** The address of a brand's site on this network. */
  origin(brand: string): string {
    return `http://${brand}.localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Takes a request to the program and its answer back, or loses one of them. */
  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fate = this.nextFate(incoming);
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    await pause(this.faults.delay);
    if (fate === 'never arrives') {
      outgoing.destroy();
      return;
    }
    const answer = await this.ask(incoming, Buffer.concat(body));
    outgoing.on('close', () => answer.destroy());
    if (fate === 'answer is lost') {
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
    for await (const chunk of answer) {
      await this.transmit((chunk as Buffer).length);
      outgoing.write(chunk);
    }
    outgoing.end();
  }

  private nextFate({ method, url }: IncomingMessage): Fate {
    const call = `${method} ${url?.split('?')[0]}`;
    if (call === this.losesAnswerOf) {
      this.losesAnswerOf = '';
      return this.cut(call, 'answer is lost');
    }
    this.connections += 1;
    if (this.connections % this.faults.cutEvery !== 0) return 'passes';
    return this.cut(call, this.cuts.length % 2 === 0 ? 'answer is lost' : 'never arrives');
  }

  private cut(call: string, fate: Fate): Fate {
    this.cuts.push(`${call}: ${fate}`);
    return fate;
  }

  /** Sends the request on; returns the answer once its head has come. */
  private ask({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.target, method, path: url, headers }, resolve);
      sent.on('error', reject).end(body);
    });
  }

  /** Waits until so many bytes are through the line, which all connections share. */
  private async transmit(bytes: number): Promise<void> {
    const takes = (bytes * 8) / this.faults.kilobitsPerSecond;
    this.freeAt = Math.max(this.freeAt, Date.now()) + takes;
    await pause(this.freeAt - Date.now());
  }
}
