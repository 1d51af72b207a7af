//! How much memory the peer adds when it decides W3, the body aside.

use franking_bench::contender::Contender;
use franking_bench::counting::{self, Counting};
use franking_bench::database::Database;
use franking_bench::peer::Peer;
use franking_bench::workload::Workload;
use franking_bench::world::World;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let world = World::new();
    let database = Database::new(&world);
    let workload = Workload::w3(&world);
    let mut codes = Vec::with_capacity(1);
    let mut peer = Peer::lol_html(&database);
    let ((), bytes) = counting::peak(|| peer.run(&workload, &mut codes));
    println!(
        "W3   {} adds {:.2} MB and answers {codes:?}",
        peer.name(),
        bytes as f64 / 1e6
    );
}
