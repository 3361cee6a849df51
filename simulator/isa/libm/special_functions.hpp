#pragma once
// Functions of the CUDA mathematical library that the C library lacks.
namespace hpml::sim::isa {

double exp10_of(double x);
double sinpi_of(double x);
double cospi_of(double x);
double rsqrt_of(double x);
double rcbrt_of(double x);
double rhypot_of(double x, double y);
double log_gamma(double x);   // no global sign, unlike lgamma()
double normcdf_of(double x);  // area below x of the standard normal distribution
double normcdfinv_of(double p);
double erfinv_of(double y);
double erfcinv_of(double y);
double erfcx_of(double x);  // exp(x^2) erfc(x)
double bessel_i0(double x);
double bessel_i1(double x);

}  // namespace hpml::sim::isa
