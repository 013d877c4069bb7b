//! Loops over columns, compiled for the widest vectors that the processor has.

/// A loop that is worth being compiled twice. `run` must be `#[inline(always)]`, and so must be what
/// it calls: only what becomes a part of it uses wide vectors.
pub trait WideLoop {
    /// What it comes to.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does a loop with AVX2 where the processor has that, otherwise as everything else is compiled. Its
/// result is the same.
#[inline]
pub fn run_wide<L: WideLoop>(work: L) -> L::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has all that the function is compiled for.
        return unsafe { with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<L: WideLoop>(work: L) -> L::Output {
    work.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'n>(&'n [u64]);

    impl WideLoop for Sum<'_> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().fold(0, |sum, n| sum ^ n.wrapping_mul(3))
        }
    }

    #[test]
    fn a_loop_comes_to_the_same_either_way() {
        let numbers: Vec<u64> = (0..1001).map(|n| n * n).collect();
        assert_eq!(run_wide(Sum(&numbers)), Sum(&numbers).run());
    }
}
